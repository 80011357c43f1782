import Glibc

/// Why an exchange with a helper came to nothing: the helper is of no further use.
enum HelperFailure: Error, Hashable {
    /// It could not be started; the number is an errno.
    case notStarted(Int32)
    /// It ended before it had answered.
    case ended(ProcessEnd, lastWords: String)
    /// It took longer than allowed, in milliseconds.
    case tookTooLong(Int)
    /// Its answer is none, or its text lies outside the picture.
    case nonsense(String)

    /// What happened, as the end of a sentence that begins with "the helper".
    var description: String {
        switch self {
        case .notStarted(let code): "could not be started (\(String(cString: strerror(code))))"
        case .ended(let end, let words):
            words.isEmpty ? end.description : "\(end.description), saying \"\(words)\""
        case .tookTooLong(let limit): "took longer than \(limit) ms"
        case .nonsense(let what): "answered nonsense (\(what))"
        }
    }
}

/// How a process ended.
enum ProcessEnd: Hashable {
    case exited(Int32)
    case signalled(Int32)
    /// It closed its connection and lived on, or somebody else collected it.
    case unknown

    /// Reads what `waitpid` wrote.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .exited((waitStatus >> 8) & 0xff) : .signalled(signal)
    }

    var description: String {
        switch self {
        case .exited(let status): "ended with exit status \(status)"
        case .signalled(let signal):
            "was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
        case .unknown: "closed its connection"
        }
    }
}
