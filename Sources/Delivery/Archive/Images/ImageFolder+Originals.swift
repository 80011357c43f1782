import Glibc
import Hashing
import UserFiles

extension ImageFolder {
    func add(
        fileAt path: String, _ willAdd: (ImageHash, Int) throws(ArchiveError) -> Void
    ) throws(ArchiveError) -> (hash: ImageHash, bytes: Int) {
        let source = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard source >= 0 else { throw .system(errno, "read", path) }
        defer { close(source) }
        var status = stat()
        guard fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .system(EINVAL, "read", path)
        }
        var hasher = SHA256()
        var count = 0
        let failure = eachPiece(of: source) {
            hasher.update($0)
            count += $0.count
            return 0
        }
        guard failure == 0 else { throw .system(failure, "read", path) }
        guard let hash = ImageHash(bytes: hasher.digest()) else {
            preconditionFailure("SHA-256 has 32 bytes")
        }
        try willAdd(hash, count)
        var copied = SHA256()
        try add(hash, count: count) { file in
            let failure = eachPiece(of: source) {
                copied.update($0)
                return write($0, to: file)
            }
            // A file under a name that is not its hash would be damage.
            return failure != 0 || copied.digest() == hash.bytes ? failure : ESTALE
        }
        return (hash, count)
    }
}
