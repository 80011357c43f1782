import Archive
import Glibc
import GuardedFiles

extension DeliveredPlace {
    /// Checks whether the document is still in the state in which it was left.
    public func look() -> Look {
        switch location {
        case .files(let files, let showsPages): Self.look(at: files, showsPages)
        case .archive(let folder, _, let pictures): Self.look(at: pictures, in: folder)
        case .outbox(let root, let item, let showsPages):
            Self.look(at: item, in: OutboxStore(root: root), showsPages)
        }
    }

    private static func look(at files: [DeliveredFile], _ showsPages: Bool) -> Look {
        for file in files {
            if let loss = file.loss { return Look(loss: loss, file: file.name) }
        }
        return Look(showsPages: showsPages && !files.isEmpty)
    }

    private static func look(at pictures: [String], in folder: String) -> Look {
        var status = stat()
        guard Archive.isShared(folder) || stat(folder + "/archive.sqlite", &status) == 0 else {
            return Look(loss: errno == ENOENT || errno == ENOTDIR ? .gone : .unreadable)
        }
        do {
            let standing = try Archive.open(folder, .readOnly)
                .standing(of: pictures.compactMap { ImageHash(hexadecimal: $0) })
            return switch standing {
            case .listed: Look(showsPages: true)
            case .trashed: Look(loss: .trashed)
            case .changed: Look(loss: .changed)
            case .gone: Look(loss: .gone)
            }
        } catch { return Look(loss: .unreadable) }
    }

    private static func look(at id: String, in store: OutboxStore, _ showsPages: Bool) -> Look {
        do {
            let item = try store.item(id)
            let isWhole = item.files.allSatisfy { file in
                let status = GuardedFolder.status(at: store.folder(of: id) + "/" + file.name)
                return status.map { Int($0.st_size) == file.bytes } ?? false
            }
            return isWhole ? Look(showsPages: showsPages) : Look(loss: .changed)
        } catch {
            guard error.code == .noSuchItem else { return Look(loss: .unreadable) }
        }
        guard let note = DeliveredNotes(store).note(id) else { return Look(loss: .gone) }
        return note.files.map { look(at: $0, showsPages) } ?? Look()
    }
}
