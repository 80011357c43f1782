import FoundationEssentials
import Glibc

/// The reason why a disk can't be written: it is full, or read-only.
///
/// Every part of the program uses these words.
public struct DiskRefusal: Hashable, Sendable {
    /// The two reasons.
    public enum Reason: Hashable, Sendable {
        /// No space, no room for another file, or no quota is left.
        case full
        /// The file system is mounted read-only.
        case readOnly
    }

    /// The reason.
    public let reason: Reason
    /// The reason in words, with the disk and its free space; without a period at its end.
    public let cause: String
    /// The advice, in whole sentences.
    public let advice: String

    /// The cause and the advice.
    public var message: String { "\(cause). \(advice)" }

    /// The refusal that a failed system call reports; nil if it failed for another reason.
    ///
    /// - Parameters:
    ///   - number: the call's `errno`.
    ///   - path: the file or folder, which need not exist.
    ///   - needed: the bytes that should have been written; nil if unknown.
    ///   - advice: what to do, in whole sentences; by default to make room or to mount the disk
    ///     writable.
    public init?(_ number: Int32, at path: String, needed: Int? = nil, advice: String? = nil) {
        switch number {
        case ENOSPC: self.init(.full, at: path, needed: needed, advice: advice)
        case EDQUOT: self.init(.full, at: path, needed: needed, advice: advice, isQuota: true)
        case EROFS: self.init(.readOnly, at: path, needed: needed, advice: advice)
        default: return nil
        }
    }

    /// The refusal of a disk as it is now; nil if it takes that many bytes.
    ///
    /// - Parameters:
    ///   - path: the file or folder, which need not exist.
    ///   - needed: the bytes to write.
    public init?(of path: String, needed: Int) {
        guard let state = DiskState(of: path) else { return nil }
        if state.isReadOnly {
            self.init(.readOnly, at: path, needed: needed, advice: nil)
        } else if state.free < needed || state.takesNoFile {
            self.init(.full, at: path, needed: needed, advice: nil)
        } else {
            return nil
        }
    }

    /// The refusal in an error of Foundation; nil for another error.
    public init?(_ error: any Error) {
        guard let error = error as? CocoaError else { return nil }
        let path = error.userInfo["NSFilePath"] as? String ?? ""
        switch error.code {
        case .fileWriteOutOfSpace: self.init(ENOSPC, at: path)
        case .fileWriteVolumeReadOnly: self.init(EROFS, at: path)
        default: return nil
        }
    }

    private init(
        _ reason: Reason, at path: String, needed: Int?, advice: String?, isQuota: Bool = false
    ) {
        self.reason = reason
        let disk = DiskState.mountPoint(of: path)
        switch reason {
        case .full:
            let room = DiskState(of: path)
            var parts = room.map { ["\(readable($0.free)) free"] } ?? []
            if let needed { parts.append("\(readable(needed)) needed") }
            if room?.takesNoFile == true { parts.append("no room for another file") }
            let left = isQuota ? "Nothing is left of your quota" : "No space is left"
            cause =
                "\(left) on '\(disk)'" + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
            self.advice = advice ?? "Free some space there, and try again."
        case .readOnly:
            cause = "'\(path.isEmpty ? "." : path)' is on a read-only file system, '\(disk)'"
            self.advice = advice ?? "Mount it writable, or name another folder."
        }
    }
}

/// The reason of a failed system call on a file: a ``DiskRefusal/cause``, or the system's words.
public func systemReason(_ number: Int32, at path: String, needed: Int? = nil) -> String {
    DiskRefusal(number, at: path, needed: needed)?.cause ?? String(cString: strerror(number))
}
