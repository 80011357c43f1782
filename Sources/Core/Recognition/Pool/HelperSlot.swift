import Dispatch
import FoundationEssentials
import Synchronization

/// A place in the pool: at most one helper process, and the queue whose thread talks with it.
///
/// `@unchecked Sendable`: `process` is touched on `queue` alone; everything else is constant or
/// locked.
final class HelperSlot: @unchecked Sendable {
    /// What a slot needs to know of its pool.
    struct Settings: Sendable {
        var command: HelperCommand
        var pageDeadline: Duration
        var engineDeadline: Duration
        var clock: any Clock<Duration>
    }

    private let settings: Settings
    private let queue = DispatchQueue(label: "copystand.recognizer")
    private let loaded = Mutex<[String]?>(nil)
    private var process: HelperProcess?

    init(_ settings: Settings) { self.settings = settings }

    /// The languages a living helper of this slot has loaded, nil without one.
    var loadedLanguages: [String]? { loaded.withLock { $0 } }

    /// Starts the helper and loads `languages` behind the caller's back; a failure shows at the
    /// first page.
    func prewarm(_ languages: [String]) {
        queue.async { [self] in
            _ = try? attempt(.prepare, languages, nil, .any, Ticket())
        }
    }

    /// Ends the helper once what the slot does is done.
    func stop() async {
        await withCheckedContinuation { done in
            queue.async { [self] in
                discard()
                done.resume()
            }
        }
    }

    /// Asks the helper, and a fresh one when that fails; ends early when the task is canceled.
    func ask(
        _ verb: HelperRequest.Verb, _ languages: [String], _ rows: HelperRows?,
        _ layout: TextLayout, _ ticket: Ticket
    ) async throws -> HelperAnswer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { answer in
                queue.async { [self] in
                    answer.resume(
                        with: Result { try askTwice(verb, languages, rows, layout, ticket) })
                }
            }
        } onCancel: {
            ticket.cancel()
        }
    }

    private func askTwice(
        _ verb: HelperRequest.Verb, _ languages: [String], _ rows: HelperRows?,
        _ layout: TextLayout, _ ticket: Ticket
    ) throws -> HelperAnswer {
        let first: HelperFailure
        do {
            return try attempt(verb, languages, rows, layout, ticket)
        } catch let failure as HelperFailure {
            first = failure
        }
        do {
            return try attempt(verb, languages, rows, layout, ticket)
        } catch let second as HelperFailure {
            throw RecognitionError(.helperFailed, sentence(first, second))
        }
    }

    /// One exchange with the helper, which is discarded when it fails.
    private func attempt(
        _ verb: HelperRequest.Verb, _ languages: [String], _ rows: HelperRows?,
        _ layout: TextLayout, _ ticket: Ticket
    ) throws -> HelperAnswer {
        do {
            let helper = try process ?? HelperProcess(settings.command)
            process = helper
            guard ticket.begin(with: helper) else { throw CancellationError() }
            let request = HelperRequest(
                verb: verb, languages: languages, image: rows?.image,
                layout: layout, milliseconds: settings.engineDeadline.milliseconds)
            let bytes = try helper.exchange(
                Array(JSONEncoder().encode(request)), rows: rows,
                deadline: Deadline(settings.pageDeadline, on: settings.clock))
            let answer = try AnswerReader.read(bytes, within: rows?.image)
            guard ticket.end() else { throw CancellationError() }
            if verb != .orientation { loaded.withLock { $0 = languages } }
            return answer
        } catch {
            discard()
            throw ticket.end() ? error : CancellationError()
        }
    }

    private func discard() {
        loaded.withLock { $0 = nil }
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
                "The page is saved without text; scan it at a lower resolution or crop it, and read it again."
            case .ended, .nonsense:
                "The page is saved without text; read it again, and run 'copystand doctor' if it fails on every page."
            }
        return "The text of a page could not be read: \(cause). \(advice)"
    }
}
