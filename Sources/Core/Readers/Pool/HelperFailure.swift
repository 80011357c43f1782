import Processes

/// The failure of an exchange with a helper, after which the helper is not used again.
enum HelperFailure: Error, Hashable {
    /// The helper could not be started, for this reason.
    case notStarted(String)
    /// The helper ended before its answer; the end is nil when it closed its connection but kept
    /// running.
    case ended(ProcessEnd?, lastWords: String?)
    /// The helper took longer than the allowed milliseconds.
    case tookTooLong(Int)
    /// The helper sent no valid answer, or text outside of the picture.
    case nonsense(String)

    /// The failure, as the end of a sentence that begins with "the helper".
    var description: String {
        switch self {
        case .notStarted(let reason): "could not be started (\(reason))"
        case .ended(let end, let words):
            (end?.sentence ?? "closed its connection")
                + (words.map { ", saying \"\($0.suffix(400))\"" } ?? "")
        case .tookTooLong(let limit): "took longer than \(limit) ms"
        case .nonsense(let what): "sent an invalid answer (\(what))"
        }
    }
}

extension Duration {
    /// Whole milliseconds, at most about 24 days.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        if seconds > 2_000_000 { return 2_000_000_000 }
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
