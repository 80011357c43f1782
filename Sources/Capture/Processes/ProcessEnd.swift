import Glibc

/// The end of a process.
public enum ProcessEnd: Codable, Hashable, Sendable {
    /// The process exited with this status, 0…255.
    case status(Int)
    /// This signal ended the process.
    case signal(Int)
}

extension ProcessEnd {
    /// The end as a part of a sentence, such as "was ended by signal 11 (segmentation fault)".
    public var sentence: String {
        switch self {
        case .status(let status): return "exited with status \(status)"
        case .signal(let number):
            let name = strsignal(Int32(clamping: number)).map { String(cString: $0) }
            return "was ended by signal \(number)" + (name.map { " (\($0.lowercased()))" } ?? "")
        }
    }
}
