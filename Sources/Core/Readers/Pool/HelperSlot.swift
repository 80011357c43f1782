import BlockingWork
import CaptureKit
import ExpectedFailures
import Recognition
import Synchronization

/// A place in the pool: at most one helper process, and the queue for talking with it.
///
/// `@unchecked Sendable`: only `queue` uses `process`; everything else is constant or locked.
final class HelperSlot: @unchecked Sendable {
    /// The pool's settings for each slot.
    struct Settings: Sendable {
        var command: HelperCommand
        var pageDeadline: Duration
        var engineDeadline: Duration
        var clock: any Clock<Duration>
    }

    /// From a helper's start to its answer to `hello`, which may load an engine.
    private static let helloDeadline = Duration.seconds(30)

    private let settings: Settings
    private let queue = OwnQueue(label: "copystand.recognizer")
    private let loaded = Mutex<[String]?>(nil)
    private var process: HelperProcess?

    init(_ settings: Settings) { self.settings = settings }

    /// The languages that this slot's running helper has loaded; nil without one.
    var loadedLanguages: [String]? { loaded.withLock { $0 } }

    /// Starts the helper and loads `languages` in the background; a failure shows at the
    /// first page.
    func prewarm(_ languages: [String]) {
        queue.begin { [self] in
            reportedLater { try attempt(.prepare(languages), HelperCancellation()) }
        }
    }

    /// Ends the helper once the slot has finished its work.
    func stop() async {
        await queue.run { [self] in discard() }
    }

    /// Sends the question to the helper, and again to a new one when that fails; ends early when
    /// the task is canceled.
    func ask(_ question: HelperQuestion, _ cancellation: HelperCancellation) async throws
        -> HelperAnswer
    {
        try await withTaskCancellationHandler {
            try await queue.run { [self] in try askTwice(question, cancellation) }
        } onCancel: {
            cancellation.cancel()
        }
    }

    private func askTwice(_ question: HelperQuestion, _ cancellation: HelperCancellation) throws
        -> HelperAnswer
    {
        let first: HelperFailure
        do {
            return try attempt(question, cancellation)
        } catch let failure as HelperFailure {
            first = failure
        }
        do {
            return try attempt(question, cancellation)
        } catch let second as HelperFailure {
            throw RecognitionError(.helperFailed, sentence(first, second))
        }
    }

    /// One exchange with the helper, which is discarded on failure.
    private func attempt(_ question: HelperQuestion, _ cancellation: HelperCancellation) throws
        -> HelperAnswer
    {
        do {
            let isFresh = process == nil
            let helper = try process ?? HelperProcess(settings.command, clock: settings.clock)
            process = helper
            guard cancellation.begin(with: helper) else { throw CancellationError() }
            if isFresh { _ = try greet(helper) }
            let answer = try question.ask(
                helper, milliseconds: settings.engineDeadline.milliseconds,
                within: settings.pageDeadline)
            guard cancellation.end() else { throw CancellationError() }
            if let languages = question.loadedLanguages { loaded.withLock { $0 = languages } }
            return answer
        } catch {
            discard()
            throw cancellation.end() ? error : CancellationError()
        }
    }

    private func greet(_ helper: HelperProcess) throws(HelperFailure) -> ReaderWire.HelloAnswer {
        try helper.greet(within: min(Self.helloDeadline, settings.pageDeadline))
    }

    private func discard() {
        loaded.withLock { $0 = nil }
        process?.end()
        process = nil
    }

    private func sentence(_ first: HelperFailure, _ second: HelperFailure) -> String {
        let cause =
            first == second
            ? "the helper \(second.description), twice"
            : "the helper \(first.description), and then a fresh one \(second.description)"
        let advice =
            switch second {
            case .notStarted:
                "Check that \(settings.command.program) can be run and that the system is not out of processes or memory."
            case .tookTooLong:
                "Scan it at a lower resolution or crop it, and read it again."
            case .ended, .nonsense:
                "To get it, read it again; run 'copystand doctor' if that fails on every page."
            }
        return "The text of a page could not be read: \(cause). \(advice)"
    }
}
