import Delivery
import FoundationEssentials
import Glibc

/// Leaves files where they are, as in a phone's folder that is kept in sync; a mark says that a
/// file was imported.
extension HotFolder {
    static let left = "left"

    /// The path of a file's mark, which changes when the file is written again.
    private func leftMark(_ name: String, _ sight: Sight) -> String {
        let file = "\(name)\u{0}\(sight.size)\u{0}\(sight.seconds)\u{0}\(sight.nanoseconds)"
        return path + "/" + Self.own + "/" + Self.left + "/" + textHash(file)
    }

    /// True if a file was imported before, here or by another host.
    func wasLeft(_ name: String, _ sight: Sight) -> Bool {
        access(leftMark(name, sight), F_OK) == 0
    }

    /// Claims a file without moving it: the host that makes the file's mark has the claim.
    ///
    /// - Returns: whether the file is readable at `target` now.
    func borrow(_ name: String, _ sight: Sight, at target: String) -> Bool {
        let source = path + "/" + name
        // Some file systems have no links, and some files can't be linked.
        guard
            link(source, target) == 0
                || (try? FileManager.default.copyItem(atPath: source, toPath: target)) != nil
        else {
            unlink(target)
            return false
        }
        let made = open(
            leftMark(name, sight), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard made >= 0 else {
            unlink(target)
            return false
        }
        close(made)
        return true
    }

    /// Ends the work on a file that stays in the folder.
    ///
    /// - Parameter reason: why the file could not be read; it is written to a text file in
    ///   `failed`.
    /// - Returns: the file's path.
    func giveBack(_ claimed: String, reason: String?) throws(DeliveryError) -> String {
        let name = String(claimed.split(separator: "/").last ?? "")
        unlink(claimed)
        if let reason {
            let folder = path + "/failed"
            try Self.make(folder)
            try? Data((reason + "\n").utf8).write(to: URL(filePath: folder + "/\(name).txt"))
        }
        return path + "/" + name
    }

    /// Deletes the marks of files that are gone.
    func forgetGoneFiles() {
        let folder = path + "/" + Self.own + "/" + Self.left
        let present = Set(sights().map { leftMark($0.name, $0.sight) })
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let mark = folder + "/" + name
            // Another host may have imported a file that came in the meantime.
            if !present.contains(mark), let age = Self.age(of: mark), age > 24 * Self.repeating {
                unlink(mark)
            }
        }
    }
}
