import Documents
import Imaging
import Recognition
import Synchronization
import Testing

@testable import Processing

/// A recognizer that returns the number of calls as text, and counts the simultaneous calls.
final class FakeRecognizer: TextRecognizer {
    private struct State {
        var calls = 0
        var running = 0
        var mostRunning = 0
    }

    private let state = Mutex(State())
    private let answer: @Sendable (Raster, Int) async throws -> PageText

    init(
        _ answer: @escaping @Sendable (Raster, Int) async throws -> PageText = { _, _ in .words([])
        }
    ) {
        self.answer = answer
    }

    var calls: Int { state.withLock(\.calls) }
    var mostRunning: Int { state.withLock(\.mostRunning) }

    func recognize(_ image: Raster, languages: [String]) async throws -> PageText {
        let call = state.withLock { state in
            state.calls += 1
            state.running += 1
            state.mostRunning = max(state.mostRunning, state.running)
            return state.calls
        }
        defer { state.withLock { $0.running -= 1 } }
        return try await answer(image, call)
    }
}

extension PageText {
    static func words(_ words: [String], confidence: Double = 0.5) -> PageText {
        let box = Box(x: 0, y: 0, width: 1, height: 1)
        let line = TextLine(
            words: words.map { Word(text: $0, box: box, confidence: confidence) }, box: box)
        let paragraph = Paragraph(lines: [line], box: box)
        return PageText(
            blocks: words.isEmpty ? [] : [TextBlock(paragraphs: [paragraph], box: box)],
            languages: ["eng"])
    }
}

extension PagePipeline {
    /// Processes a picture that contains one page, and returns the page.
    func onlyPage(_ input: PageInput) async throws -> ProcessedPage {
        let pages = try await process(input)
        try #require(pages.count == 1)
        return pages[0]
    }
}

/// A step whose work is a closure.
struct FakeStep: ProcessingStep {
    static let declaration = StepDeclaration(name: "fake", title: "Fake", help: "Fakes.")

    private let work: @Sendable (StepInput) throws -> StepOutcome

    init(_ settings: StepSettings) { work = { .left($0.image, "left") } }

    init(_ work: @escaping @Sendable (StepInput) throws -> StepOutcome) { self.work = work }

    func run(on page: StepInput) throws -> StepOutcome { try work(page) }
}

/// A clock that advances by a fixed amount with each reading.
final class SteppingClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private let readings = Mutex(0)
    let step: Duration

    init(step: Duration) { self.step = step }

    var now: Instant {
        readings.withLock { count in
            count += 1
            return Instant(offset: step * count)
        }
    }

    var minimumResolution: Duration { step }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}

/// A gate at which tasks wait until it is opened.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}

/// A count that several threads increase and decrease, and its highest value.
final class Counter: Sendable {
    private let state = Mutex((now: 0, most: 0))

    var now: Int { state.withLock(\.now) }
    var most: Int { state.withLock(\.most) }

    func add(_ change: Int) {
        state.withLock { state in
            state.now += change
            state.most = max(state.most, state.now)
        }
    }
}
