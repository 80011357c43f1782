import FoundationEssentials
import Glibc
import Testing

@testable import UserFiles

/// Tests small files that several processes change.
@Suite struct UserFileTests {
    @Test("A file is made only for its owner, and settings keep the mode that they were given")
    func modes() throws {
        let place = try Place()
        for secret in ["passwords", nil] {
            let name = secret ?? "settings"
            let file = UserFile(path: place.path + "/a/b/" + name, secret: secret)
            #expect(try file.read() == nil)
            try file.change { $0 = Array("one".utf8) }
            #expect(mode("\(place.path)/a/b/\(name)") == 0o600)
            #expect(mode("\(place.path)/a/b") == 0o700 && mode("\(place.path)/a") == 0o700)
        }
        let settings = UserFile(path: place.path + "/a/b/settings")
        chmod(settings.path, 0o644)
        try settings.change { $0 = Array("two".utf8) }
        #expect(mode(settings.path) == 0o644)
        #expect(try settings.read() == Array("two".utf8))
    }

    @Test("On a full disk, contents that are not longer are saved, and longer ones are refused")
    func full() throws {
        let place = try Place()
        let disk = place.path + "/disk"
        mkdir(disk, 0o700)
        guard mount("tmpfs", disk, "tmpfs", 0, "size=64k,mode=700") == 0 else {
            try Test.cancel("a small file system can't be mounted here")
        }
        defer { umount2(disk, CInt(MNT_DETACH)) }
        let file = UserFile(path: disk + "/tokens", secret: "hashes of tokens")
        try file.change { $0 = Array("one two three".utf8) }
        let filler = open(disk + "/filler", O_WRONLY | O_CREAT, 0o600)
        while write(filler, [UInt8](repeating: 1, count: 4_096), 4_096) > 0 {}
        close(filler)
        #expect {
            try file.change { $0 = [UInt8](repeating: 7, count: 5_000) }
        } throws: { ($0 as? UserFileError)?.code == .noSpace }
        #expect(try file.read() == Array("one two three".utf8))
        try file.change { $0 = Array("one".utf8) }
        #expect(try file.read() == Array("one".utf8) && mode(file.path) == 0o600)
    }

    @Test("A change that fails, or changes nothing, leaves the file unchanged")
    func refused() throws {
        struct Refusal: Error {}
        let place = try Place()
        let file = UserFile(path: try place.write("file", "text"))
        let before = inode(file.path)
        #expect(throws: Refusal.self) {
            try file.change { bytes in
                bytes = []
                throw Refusal()
            }
        }
        #expect(try file.change { $0?.count } == 4)
        #expect(try place.text("file") == "text" && inode(file.path) == before)
        #expect(place.names == [".file.lock", "file"])
        try file.change { $0 = nil }
        #expect(place.names == [".file.lock"])
    }

    @Test("The next writer removes a killed writer's file, and its lock file blocks no one")
    func leftovers() throws {
        let place = try Place()
        let file = UserFile(path: try place.write("file", "text"))
        try place.write(".file.part", "half")
        try place.write(".file.lock", "")
        try file.change { $0 = Array("new".utf8) }
        #expect(try place.text("file") == "new")
        #expect(place.names == [".file.lock", "file"])
    }

    @Test("A symbolic link stays one: its target is changed, whether it exists or not")
    func links() throws {
        let place = try Place()
        try place.write("dotfiles/real", "one")
        let link = place.path + "/file"
        #expect(symlink("dotfiles/real", link) == 0)
        try UserFile(path: link).change { $0 = Array("two".utf8) }
        #expect(try place.text("dotfiles/real") == "two")
        unlink(place.path + "/dotfiles/real")
        #expect(try UserFile(path: link).read() == nil)
        try UserFile(path: link).change { $0 = Array("three".utf8) }
        #expect(try place.text("dotfiles/real") == "three")
        var about = stat()
        #expect(lstat(link, &about) == 0 && about.st_mode & S_IFMT == S_IFLNK)
    }

    @Test("A folder, a pipe and a file that is far too large are not settings")
    func kinds() throws {
        let place = try Place()
        mkfifo(place.path + "/pipe", 0o600)
        let large = try place.write("large", "")
        truncate(large, 1 << 30)
        for name in ["pipe", "large", "."] {
            let error = #expect(throws: UserFileError.self, "\(name)") {
                try UserFile(path: place.path + "/" + name).read()
            }
            #expect(error?.code == .inputOutput)
        }
    }

    @Test("A secret is not written where other users could replace it")
    func place() throws {
        let place = try Place()
        mkdir(place.path + "/open", 0o700)
        chmod(place.path + "/open", 0o777)
        let error = #expect(throws: UserFileError.self) {
            try UserFile(path: place.path + "/open/file", secret: "passwords").change { $0 = [1] }
        }
        #expect(error?.code == .untrusted)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/open") == [])
    }

    @Test("A disk error is reported with the path and what to do")
    func disk() throws {
        let place = try Place()
        try place.write("file", "")
        let error = #expect(throws: UserFileError.self) {
            try UserFile(path: place.path + "/file/in/settings").change { $0 = [1] }
        }
        #expect(error?.message.contains("\(place.path)/file") == true)
        #expect(error?.message.contains("Not a directory") == true)
    }

    private func mode(_ path: String) -> mode_t {
        var about = stat()
        return stat(path, &about) == 0 ? about.st_mode & 0o777 : 0
    }

    private func inode(_ path: String) -> ino_t {
        var about = stat()
        return stat(path, &about) == 0 ? about.st_ino : 0
    }
}
