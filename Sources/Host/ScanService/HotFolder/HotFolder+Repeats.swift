public import Delivery
import FoundationEssentials
import Glibc

/// Recognizes files that come twice: a scanner that gets no answer sends its file again.
extension HotFolder {
    /// The seconds in which the same bytes count as the same file.
    static let repeating = 3600.0
    static let taken = "taken"

    private func mark(_ claimed: String) -> String? {
        guard let hash = try? fileHash(claimed) else { return nil }
        return path + "/" + Self.own + "/" + Self.taken + "/" + hash
    }

    /// True if a file with the same bytes was imported within the last hour, here or by another
    /// host; records this one.
    ///
    /// For files that stay in the folder, the time does not matter.
    public func isRepeated(_ claimed: String) -> Bool {
        guard let mark = mark(claimed) else { return false }
        let made = open(mark, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        if made >= 0 {
            close(made)
            return false
        }
        guard errno == EEXIST, let age = Self.age(of: mark) else { return false }
        if age < Self.repeating || leavesFiles { return true }
        utimensat(AT_FDCWD, mark, nil, 0)
        return false
    }

    /// Moves a repeated file to `done`, with a text file beside it that explains this.
    ///
    /// - Returns: the file's new path; nil when the file is gone.
    /// - Throws: `DeliveryError` when the folder is missing and can't be made.
    @discardableResult
    public func settleRepeated(_ claimed: String) throws(DeliveryError) -> String? {
        if leavesFiles { return try giveBack(claimed, reason: nil) }
        return try put(
            claimed, into: "done",
            words:
                "The same file came within the last hour, and already became a document. To import it again, put it back after an hour."
        )
    }

    /// Removes the record that a file was imported.
    func unmark(_ claimed: String) {
        if let mark = mark(claimed) { unlink(mark) }
    }

    /// Deletes records that are too old to matter.
    func forgetOldMarks() {
        let folder = path + "/" + Self.own + "/" + Self.taken
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let mark = folder + "/" + name
            if let age = Self.age(of: mark), age > 24 * Self.repeating { unlink(mark) }
        }
    }

    /// The seconds since a file was last written; nil for a missing file.
    static func age(of path: String) -> Double? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Date().timeIntervalSince1970 - Double(status.st_mtim.tv_sec)
    }
}
