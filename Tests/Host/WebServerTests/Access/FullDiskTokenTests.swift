import FoundationEssentials
import Glibc
import Testing
import UserFiles

@testable import WebServer

/// Tests tokens and sessions whose file can't be written.
@Suite struct FullDiskTokenTests {
    /// A small disk with a file of tokens.
    private final class Disk {
        let path = "/tmp/copystand-tokens-\(UInt64.random(in: 0 ... .max))"
        var file: String { path + "/tokens.json" }

        init() throws {
            try #require(mkdir(path, 0o700) == 0)
            guard mount("tmpfs", path, "tmpfs", 0, "size=64k,mode=700") == 0 else {
                rmdir(path)
                try Test.cancel("a small file system can't be mounted here")
            }
        }

        deinit {
            umount2(path, CInt(MNT_DETACH))
            rmdir(path)
        }

        func fill() {
            let filler = open(path + "/filler", O_WRONLY | O_CREAT, 0o600)
            while write(filler, [UInt8](repeating: 1, count: 4_096), 4_096) > 0 {}
            close(filler)
        }

        func makeReadOnly() throws {
            // A child that another test is starting may have a file open to write for a moment.
            for _ in 0..<200
            where mount("", path, "", UInt(MS_REMOUNT | MS_RDONLY), "") != 0 { usleep(10_000) }
            try #require(access(path, W_OK) != 0)
        }
    }

    @Test("A token is removed on a full disk, also from the file")
    func removal() throws {
        let disk = try Disk()
        let tokens = AccessTokens(path: disk.file)
        let (kept, gone) = (try tokens.make(name: "kept"), try tokens.make(name: "gone"))
        disk.fill()
        try tokens.remove(name: "gone")
        for reader in [tokens, AccessTokens(path: disk.file)] {
            #expect(reader.grant(for: gone) == nil && reader.grant(for: kept) != nil)
            #expect(try reader.all().map(\.name) == ["kept"])
        }
    }

    @Test("On a full disk a browser signs in, until the host ends, and can be removed")
    func session() throws {
        let disk = try Disk()
        let tokens = AccessTokens(path: disk.file)
        let text = try tokens.make(name: "phone")
        // Each session takes room in the file, which has some left in its last block.
        for _ in 0..<20 {
            _ = try tokens.beginSession(withHash: AccessTokens.hash(text), replacing: nil)
        }
        disk.fill()
        let cookie = try #require(
            try tokens.beginSession(withHash: AccessTokens.hash(text), replacing: nil))
        let browser = try tokens.beginSession(ofBrowser: "Firefox", scope: .scan, replacing: nil)
        for cookie in [cookie, browser] {
            #expect(tokens.grant(forSession: AccessTokens.hash(cookie)) != nil)
            let other = AccessTokens(path: disk.file)
            #expect(other.grant(forSession: AccessTokens.hash(cookie)) == nil)
        }
        #expect(try tokens.all().map(\.name) == ["phone", "Firefox"])
        #expect(throws: UserFileError.self) { try tokens.make(name: "another") }
        try tokens.remove(name: "phone")
        #expect(tokens.grant(forSession: AccessTokens.hash(cookie)) == nil)
        try? tokens.remove(name: "Firefox")
        #expect(tokens.grant(forSession: AccessTokens.hash(browser)) == nil)
        unlink(disk.path + "/filler")
        _ = try tokens.make(name: "another")
        #expect(try AccessTokens(path: disk.file).all().map(\.name) == ["another"])
    }

    @Test("A removed token ends at once where the file can't be written at all")
    func readOnly() throws {
        let disk = try Disk()
        let tokens = AccessTokens(path: disk.file)
        let text = try tokens.make(name: "gone")
        let cookie = try #require(
            try tokens.beginSession(withHash: AccessTokens.hash(text), replacing: nil))
        try disk.makeReadOnly()
        #expect(throws: UserFileError.self) { try tokens.remove(name: "gone") }
        #expect(tokens.grant(for: text) == nil)
        #expect(tokens.grant(forSession: AccessTokens.hash(cookie)) == nil)
        #expect(try tokens.all().isEmpty)
    }
}
