import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import Archive

@Suite struct ImageStoreTests {
    /// The hashes are from FIPS 180-4's examples and `sha256sum`.
    @Test(
        "Hashes are SHA-256",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func hashes(text: String, hash: String) {
        #expect(ImageHash(of: Array(text.utf8)).hexadecimal == hash)
        #expect(ImageHash(hexadecimal: hash) == ImageHash(of: Array(text.utf8)))
    }

    @Test("The same bytes are stored once, in folders of two levels, readable only by their owner")
    func places() throws {
        let folder = try TestFolder()
        let store = ImageFolder(folder: folder.path)
        let hash = try store.add(Array("abc".utf8))
        #expect(try store.add(Array("abc".utf8)) == hash)
        let path = folder.path + "/ba/78/" + hash.hexadecimal
        #expect(store.path(of: hash) == path)
        #expect(try store.files().map(\.name) == [path])
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try store.read(hash) == Array("abc".utf8))
    }

    @Test("A damaged or missing image is an error that names its file")
    func damage() throws {
        let folder = try TestFolder()
        let store = ImageFolder(folder: folder.path)
        let hash = try store.add(Array("abc".utf8))
        try Data("abd".utf8).write(to: URL(filePath: store.path(of: hash)))
        #expect {
            try store.read(hash)
        } throws: {
            let error = $0 as? ArchiveError
            return error?.code == .damaged
                && error?.message.contains(store.path(of: hash)) == true
        }
        unlink(store.path(of: hash))
        #expect(throws: ArchiveError.self) { try store.read(hash) }
    }

    @Test(
        "A file of holes that claims to be huge is named as damaged, and takes no memory",
        arguments: [8 << 40, 65 << 20])
    func holes(size: Int) throws {
        let folder = try TestFolder()
        let store = ImageFolder(folder: folder.path)
        let hash = try store.add(Array("abc".utf8))
        let path = store.path(of: hash)
        try #require(truncate(path, off_t(size)) == 0)
        for read in [{ _ = try store.read(hash) }, { close(try store.open(hash).descriptor) }] {
            #expect { try read() } throws: {
                let error = $0 as? ArchiveError
                return error?.code == .damaged && error?.message.contains(path) == true
            }
        }
        #expect(store.fault(of: hash)?.contains(path) == true)
    }

    @Test(
        "An open image has the contents of its name, even if its file is changed after verification"
    )
    func opened() throws {
        let folder = try TestFolder()
        let store = ImageFolder(folder: folder.path)
        let hash = try store.add(Array("abc".utf8))
        for _ in 0..<2 {
            let (descriptor, count) = try store.open(hash)
            defer { close(descriptor) }
            var bytes = [UInt8](repeating: 0, count: 10)
            #expect(count == 3 && Glibc.read(descriptor, &bytes, 10) == 3)
            #expect(bytes.prefix(3) == Array("abc".utf8)[...])
        }
        try Data("abd".utf8).write(to: URL(filePath: store.path(of: hash)))
        for _ in 0..<2 {
            #expect {
                try store.open(hash)
            } throws: {
                ($0 as? ArchiveError)?.code == .damaged
            }
        }
        try Data("abc".utf8).write(to: URL(filePath: store.path(of: hash)))
        close(try store.open(hash).descriptor)
    }

    @Test("Whichever write or sync fails, no file remains under any name", arguments: 0..<6)
    func faults(failing: Int) throws {
        let folder = try TestFolder()
        let calls = Mutex(0)
        let fails: @Sendable () -> Bool = {
            calls.withLock {
                $0 += 1
                return $0 == failing + 1
            }
        }
        var disk = ImageDisk()
        disk.write = { file, bytes in
            if fails() {
                errno = ENOSPC
                return -1
            }
            // The write is partial, as on a nearly full disk.
            return write(file, bytes.baseAddress, max(1, bytes.count / 2))
        }
        disk.sync = { _ in
            if fails() {
                errno = EIO
                return -1
            }
            return 0
        }
        let store = ImageFolder(folder: folder.path, disk: disk)
        #expect {
            try store.add(Array("some bytes".utf8))
        } throws: {
            [.noSpace, .inputOutput].contains(($0 as? ArchiveError)?.code)
        }
        #expect(try store.files().isEmpty)
    }

    @Test("Images are synced before they get their names, and their folders afterward")
    func order() throws {
        let folder = try TestFolder()
        let seen = Mutex<[String]>([])
        var disk = ImageDisk()
        let root = folder.path
        disk.sync = { file in
            var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let count = max(0, readlink("/proc/self/fd/\(file)", &buffer, buffer.count))
            let name = String(decoding: buffer.prefix(count), as: UTF8.self).dropFirst(
                root.utf8.count)
            seen.withLock { $0.append(name.contains("partial") ? "file" : "folder" + name) }
            return fsync(file)
        }
        _ = try ImageFolder(folder: root, disk: disk).add(Array("abc".utf8))
        #expect(seen.withLock { $0 } == ["file", "folder/ba/78", "folder/ba", "folder"])
    }
}
