import Delivery
import ExpectedFailures
import FoundationEssentials
import Glibc
import GuardedFiles

/// Leaves files where they are, as in a phone's folder that is kept in sync; a mark records that a
/// file was imported.
extension HotFolder {
    static let left = "left"

    /// The name of a file's mark, which changes when the file is written again.
    private func leftMark(_ name: String, _ sight: Sight) -> String {
        let file = "\(name)\u{0}\(sight.size)\u{0}\(sight.seconds)\u{0}\(sight.nanoseconds)"
        return "\(Self.own)/\(Self.left)/\(textHash(file))"
    }

    /// True if a file was imported before, here or by another host.
    func wasLeft(_ name: String, _ sight: Sight) -> Bool {
        root.hasFile(leftMark(name, sight))
    }

    /// Claims a file without moving it: the host that makes the file's mark has the claim.
    ///
    /// - Returns: whether the file is also under `claimed` now.
    func borrow(_ name: String, _ sight: Sight, as claimed: String) -> Bool {
        do throws(GuardedFileError) {
            try root.linkOrCopy(name, as: claimed)
            try root.write([], new: leftMark(name, sight), mode: 0o666)
            return true
        } catch {
            root.discard(claimed)
            return false
        }
    }

    /// Ends the work on a file that stays in the folder.
    ///
    /// - Parameter reason: why the file could not be read; it is written to a text file in
    ///   `failed`.
    /// - Returns: the file's path.
    func giveBack(_ claimed: String, reason: String?) throws(DeliveryError) -> String {
        let name = String(claimed.split(separator: "/").last ?? "")
        do throws(GuardedFileError) {
            try root.remove(self.name(of: claimed))
            if let reason {
                try root.ownFolder("failed", mode: 0o777, checksOwner: !isOnNetwork)
                    .write(reason + "\n", unused: "\(name).txt")
            }
        } catch { throw Self.explained(error) }
        return root.path(of: name)
    }

    /// Deletes the marks of files that are gone, unless the folder can't be read: then its files
    /// may be there, and would be imported again.
    func forgetGoneFiles() {
        guard let entries = ifSupported({ try entries() }) else { return }
        let present = Set(
            entries.filter { $0.status.st_mode & S_IFMT == S_IFREG }
                .map { leftMark($0.name, Sight($0.status)) })
        forgetMarks(in: Self.left) { !present.contains($0) }
    }
}
