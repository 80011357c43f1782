public import Delivery
import Glibc
import GuardedFiles

/// Claims files, so that only one of several hosts imports each, and puts them away afterward.
extension HotFolder {
    /// Claims the files of a document: the host that claims the first one gets them all.
    ///
    /// - Returns: the files' new paths; nil when another host was faster.
    public func claim(_ names: [String]) -> [String]? {
        guard let first = names.first, let path = claim(first) else { return nil }
        return [path] + names.dropFirst().compactMap { claim($0) }
    }

    /// Claims a file: the host that renames or marks it gets it.
    ///
    /// - Returns: the file's new path; nil when another host was faster, or when something else has
    ///   got the file's name since the last look.
    public func claim(_ name: String) -> String? {
        guard let sight = known[name] ?? Sight(name, in: root), work.isFree(name) else {
            return nil
        }
        let claimed = workName + "/" + name
        if leavesFiles {
            guard borrow(name, sight, as: claimed) else { return nil }
            known[name]?.isLeft = true
        } else if renameat(root.descriptor, name, work.descriptor, name) != 0 {
            return nil
        }
        guard let claimedSight = Sight(name, in: work), sight.isLike(claimedSight) else {
            giveUp(name)
            return nil
        }
        return root.path(of: claimed)
    }

    /// Puts back anything but the expected file; a link would lead out of the folder.
    private func giveUp(_ name: String) {
        // A rename would replace a file that has arrived in the meantime.
        if leavesFiles || linkat(work.descriptor, name, root.descriptor, name, 0) == 0 {
            work.discard(name)
        }
    }

    /// The files that were claimed by hosts that no longer run.
    public func leftovers() -> [String] {
        guard let own = root.ifUsable(Self.own) else { return [] }
        var files: [String] = []
        for name in own.listedNames
        where name.hasPrefix("work-") && Self.own + "/" + name != workName {
            guard let folder = own.ifUsable(name),
                flock(folder.descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            let left = folder.listedNames
            files += left.filter(folder.hasFile).map { folder.path(of: $0) }
            if left.isEmpty { own.removeEmptyFolder(name) }
        }
        return files
    }

    /// Moves an imported file to `done` or `failed`, under an unused name.
    ///
    /// In a folder that leaves files, the file stays.
    ///
    /// - Parameter reason: why the file could not be read; it is written to a text file in
    ///   `failed`. Nil for success.
    /// - Returns: the file's new path; nil when the file is gone.
    /// - Throws: `DeliveryError` when the folder is missing and can't be made.
    @discardableResult
    public func settle(_ claimed: String, reason: String?) throws(DeliveryError) -> String? {
        // A person may put a failed file back to try it again.
        if reason != nil { unmark(claimed) }
        if leavesFiles { return try giveBack(claimed, reason: reason) }
        return try put(claimed, into: reason == nil ? "done" : "failed", words: reason)
    }

    /// Deletes an imported file.
    ///
    /// - Throws: `DeliveryError`.
    public func delete(_ claimed: String) throws(DeliveryError) {
        do throws(GuardedFileError) { try root.remove(name(of: claimed)) } catch {
            throw Self.explained(error)
        }
    }

    /// Moves an imported file to one of the folders, with a text file beside it.
    func put(
        _ claimed: String, into name: String, words: String?
    ) throws(DeliveryError) -> String? {
        do throws(GuardedFileError) {
            let folder = try Self.ownFolder(name, in: root, isOnNetwork)
            let claimed = self.name(of: claimed)
            let moved = try root.move(
                claimed, to: folder, as: String(claimed.split(separator: "/").last ?? ""))
            if let words { try folder.write(words + "\n", unused: moved + ".txt") }
            return folder.path(of: moved)
        } catch {
            if error.code == .missing { return nil }
            throw Self.explained(error)
        }
    }

    /// The name below ``root`` of a claimed file.
    func name(of claimed: String) -> String {
        String(claimed.utf8.dropFirst(path.utf8.count + 1)) ?? ""
    }
}
