import CaptureHost

/// Why an exchange with a helper failed; the helper can't be used again.
enum HelperFailure: Error, Hashable {
    /// It could not be started, and why.
    case notStarted(String)
    /// It ended before it had answered; the end is nil when it closed its connection but kept
    /// running.
    case ended(ProcessEnd?, lastWords: String?)
    /// It took longer than allowed, in milliseconds.
    case tookTooLong(Int)
    /// It did not send a valid answer, or its text lies outside the picture.
    case nonsense(String)

    /// What happened, as the end of a sentence that begins with "the helper".
    var description: String {
        switch self {
        case .notStarted(let reason): "could not be started (\(reason))"
        case .ended(let end, let words):
            (end?.sentence ?? "closed its connection")
                + (words.map { ", saying \"\($0.suffix(400))\"" } ?? "")
        case .tookTooLong(let limit): "took longer than \(limit) ms"
        case .nonsense(let what): "answered nonsense (\(what))"
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
