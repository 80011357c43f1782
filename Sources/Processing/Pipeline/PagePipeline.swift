import Documents
import FoundationEssentials
import Imaging
public import Recognition
import Synchronization

/// Takes captured pages through a profile: its steps in order, then the reading of text.
///
/// A page is never lost: a step that fails leaves it as it was before the step, and a failed reading leaves it without text;
/// both are told in ``ProcessedPage/problems``. Steps run on threads of their own, never on the cooperative pool.
///
///     let pipeline = PagePipeline(profile: try library.load("document"), recogniser: pool)
///     let page = try await pipeline.process(input)
///     print(page.steps.map(\.summary))
public struct PagePipeline: Sendable {
    /// The profile that is followed.
    public let profile: Profile
    private let steps: [any ProcessingStep]
    private let recogniser: (any TextRecogniser)?
    private let clock: any Clock<Duration>
    private let threads: StepThreads

    /// One set of threads for all pipelines, so that several jobs together use no more cores than there are.
    private static let sharedThreads = StepThreads(
        limit: ProcessInfo.processInfo.activeProcessorCount)

    /// A pipeline for `profile`.
    ///
    /// - Parameters:
    ///   - recogniser: reads the text; nil leaves every page without.
    ///   - clock: measures the steps.
    public init(
        profile: Profile, recogniser: (any TextRecogniser)?,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(
            profile: profile, steps: profile.steps.compactMap(StepCatalog.step),
            recogniser: recogniser, clock: clock, threads: Self.sharedThreads)
    }

    init(
        profile: Profile, steps: [any ProcessingStep], recogniser: (any TextRecogniser)?,
        clock: any Clock<Duration> = ContinuousClock(), threads: StepThreads
    ) {
        self.profile = profile
        self.steps = steps
        self.recogniser = recogniser
        self.clock = clock
        self.threads = threads
    }

    /// Takes one page through the profile.
    ///
    /// - Parameter onStage: is told when a stage begins, from any thread.
    /// - Throws: `CancellationError` only. Whatever else fails is told in ``ProcessedPage/problems``.
    public func process(
        _ input: PageInput, onStage: @escaping @Sendable (PageProgress.Stage) -> Void = { _ in }
    ) async throws -> ProcessedPage {
        try Task.checkCancellation()
        onStage(.processing)
        let isCancelled = CancellationFlag()
        let runner = StepRunner(
            steps: steps, target: profile.looksFor, clock: clock, isCancelled: isCancelled)
        var page = await withTaskCancellationHandler {
            await threads.run { runner.run(on: input.image, corners: input.corners) }
        } onCancel: {
            isCancelled.set()
        }
        try Task.checkCancellation()
        if let reading = profile.text, let recogniser {
            onStage(.reading)
            try await read(&page, reading, with: recogniser)
        }
        onStage(.done)
        return page
    }

    /// Takes pages through the profile as they come, several at once, and gives them out in the order they came in.
    ///
    /// At most `concurrency` pages are held at any time, from the moment the next one is asked for until it is given out, so
    /// memory does not grow with their number, and a slow receiver slows the source. When the source fails, the pages
    /// before come out first, then its error. Leaving the loop, or cancelling its task, stops everything.
    ///
    /// - Parameters:
    ///   - pages: the captured pages; the next is asked for when there is room for it.
    ///   - concurrency: pages held at once, at least 1; see ``concurrency(workers:)``.
    ///   - onProgress: is told how far each page has come, from any thread.
    public func processAll<Pages: AsyncSequence & Sendable>(
        _ pages: Pages, concurrency: Int,
        onProgress: @escaping @Sendable (PageProgress) -> Void = { _ in }
    ) -> AsyncThrowingStream<ProcessedPage, any Error> where Pages.Element == PageInput {
        orderedMap(pages, concurrency: concurrency) { index, input in
            try await process(input) { onProgress(PageProgress(page: index + 1, stage: $0)) }
        }
    }

    /// The pages to hold at once so that `workers` readers are never idle: one more is being captured and one processed.
    public static func concurrency(workers: Int) -> Int { max(1, workers) + 2 }

    private func read(
        _ page: inout ProcessedPage, _ reading: Profile.TextReading,
        with recogniser: any TextRecogniser
    ) async throws {
        let start = Stopwatch(clock)
        var report = StepReport(name: "text", summary: "", changed: false, milliseconds: 0)
        do {
            let text = try await recogniser.recognise(page.image, languages: reading.languages)
            let words = text.words
            report.summary =
                words.isEmpty ? "no text found" : "read \(counted(words.count, "word"))"
            report.measurements["words"] = Double(words.count)
            if !words.isEmpty {
                report.measurements["confidence"] =
                    words.reduce(0) { $0 + $1.confidence } / Double(words.count)
            }
            page.text = text
        } catch let error as CancellationError {
            throw error
        } catch {
            try Task.checkCancellation()
            let reason = explanation(of: error)
            report.summary = "not read: \(reason)"
            page.problems.append("The text was not read: \(reason)")
        }
        report.milliseconds = start.milliseconds
        page.steps.append(report)
    }
}

/// Runs a page's steps one after another.
private struct StepRunner: Sendable {
    let steps: [any ProcessingStep]
    let target: Profile.Target
    let clock: any Clock<Duration>
    let isCancelled: CancellationFlag

    func run(on captured: Raster, corners: Quad?) -> ProcessedPage {
        var page = ProcessedPage(
            image: captured, text: nil, steps: [], problems: [], isChanged: false)
        var input = StepInput(image: captured, target: target, corners: corners)
        for step in steps where !isCancelled.isSet {
            let declaration = type(of: step).declaration
            let start = Stopwatch(clock)
            var report = StepReport(
                name: declaration.name, summary: "", changed: false, milliseconds: 0)
            do {
                let outcome = try step.run(on: input)
                report.summary = outcome.summary
                report.changed = outcome.isChanged
                report.measurements = outcome.measurements
                report.found = outcome.found
                page.image = outcome.image
                if outcome.isChanged {
                    page.isChanged = true
                    input = StepInput(image: outcome.image, target: target)
                } else {
                    input = input.replacingResolution(outcome.image.resolution)
                }
            } catch {
                let reason = explanation(of: error)
                report.summary = "left: \(reason)"
                page.problems.append(
                    "The step '\(declaration.name)' failed and left the page as it was: \(reason)")
            }
            report.milliseconds = start.milliseconds
            page.steps.append(report)
        }
        return page
    }
}

/// Set once, from any thread, when the work is no longer wanted.
private final class CancellationFlag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}

/// Milliseconds since it was made, by any clock.
private struct Stopwatch {
    private let elapsed: () -> Duration

    init(_ clock: any Clock<Duration>) {
        func start<C: Clock<Duration>>(_ clock: C) -> () -> Duration {
            let begin = clock.now
            return { begin.duration(to: clock.now) }
        }
        elapsed = start(clock)
    }

    var milliseconds: Double {
        let (seconds, attoseconds) = elapsed().components
        return Double(seconds) * 1000 + Double(attoseconds) / 1e15
    }
}

/// The sentence an error carries for people, else the error itself.
private func explanation(of error: any Error) -> String {
    switch error {
    case let error as RecognitionError: error.message
    case let error as ImagingError: error.message
    case let error as BarcodeError: error.message
    default: "\(error)"
    }
}
