public import Delivery
import ExpectedFailures
import FoundationEssentials
import Glibc
import GuardedFiles

/// Recognizes files that arrive twice: a scanner that gets no answer sends its file again.
extension HotFolder {
    /// The seconds for which the same bytes count as the same file.
    static let repeating = 3600.0
    static let taken = "taken"

    /// The name of the mark of a file's bytes.
    private func mark(_ claimed: String) -> String? {
        // The import reports a file that can't be read.
        reportedLater {
            let file = try root.open(name(of: claimed)).descriptor
            defer { close(file) }
            return "\(Self.own)/\(Self.taken)/\(try fileHash(file, claimed))"
        }
    }

    /// True if a file with the same bytes was imported within the last hour, here or by another
    /// host; records this one.
    ///
    /// For files that stay in the folder, the time does not matter.
    public func isRepeated(_ claimed: String) -> Bool {
        guard let mark = mark(claimed) else { return false }
        do throws(GuardedFileError) {
            try root.write([], new: mark, mode: 0o666)
            return false
        } catch {
            guard error.number == EEXIST, let age = age(of: mark) else { return false }
            // A mark of the future was made before the clock was set back, by years perhaps.
            if abs(age) < Self.repeating || leavesFiles { return true }
            asHint { try root.touch(mark) }
            return false
        }
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
                "The same file arrived within the last hour, and was already imported. To import it again, put it back after an hour."
        )
    }

    /// Removes the record that a file was imported.
    func unmark(_ claimed: String) {
        if let mark = mark(claimed) { root.discard(mark) }
    }

    /// Deletes records that are too old to matter.
    func forgetOldMarks() { forgetMarks(in: Self.taken) { _ in true } }

    /// Deletes marks of a kind that are older than a day, if `isGone` returns true for them.
    func forgetMarks(in kind: String, _ isGone: (String) -> Bool) {
        let place = Self.own + "/" + kind
        let names = root.ifUsable(place)?.listedNames ?? []
        for mark in names.map({ place + "/" + $0 }) where isGone(mark) {
            // Another host may have imported a file that arrived in the meantime.
            if let age = age(of: mark), abs(age) > 24 * Self.repeating { root.discard(mark) }
        }
    }

    /// The seconds since a file was last written; nil for a missing file.
    private func age(of name: String) -> Double? {
        guard let status = root.entry(name) else { return nil }
        return Date().timeIntervalSince1970 - Double(status.st_mtim.tv_sec)
    }
}
