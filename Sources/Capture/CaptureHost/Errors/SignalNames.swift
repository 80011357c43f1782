import Glibc

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
