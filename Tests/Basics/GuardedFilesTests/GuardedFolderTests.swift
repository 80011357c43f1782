import FileNames
import Glibc
import Testing

@testable import GuardedFiles

/// Tests a folder in which others put links, pipes and folders.
@Suite struct GuardedFolderTests {
    let hostile = try! HostileFolder()

    private func folder() throws -> GuardedFolder { try GuardedFolder(hostile.path) }

    private func isMessage(_ error: any Error, about trap: Trap, _ name: String) -> Bool {
        guard let error = error as? GuardedFileError else { return false }
        return error.code == .wrongKind && error.message.contains("\(hostile.path)/\(name)")
            && error.message.contains("is \(trap.words), not")
    }

    @Test(
        "Where a file is expected, anything else is named and not opened", arguments: Trap.allCases)
    func opens(_ trap: Trap) throws {
        try hostile.set(trap, at: "x")
        let folder = try folder()
        let ways: [() throws -> Void] = [
            { close(try folder.open("x").descriptor) },
            { close(try folder.open("x", O_RDWR).descriptor) },
            { _ = try folder.read("x", atMost: 100) }, { close(try folder.openOrCreate("x")) },
            { _ = try folder.move("x", to: folder, as: "y") },
            { try folder.linkOrCopy("x", as: "y") },
        ]
        for way in ways {
            #expect { try way() } throws: { isMessage($0, about: trap, "x") }
        }
        #expect(!folder.hasFile("x") && !folder.isFree("x") && folder.isFree("y"))
        #expect(hostile.isOutsideUntouched)
    }

    @Test("Nothing is made or written where something is already", arguments: Trap.allCases)
    func makes(_ trap: Trap) throws {
        try hostile.set(trap, at: "x")
        let folder = try folder()
        let ways: [() throws -> Void] = [
            { close(try folder.create("x")) }, { try folder.write([1], new: "x") },
        ]
        for way in ways {
            #expect { try way() } throws: { ($0 as? GuardedFileError)?.number == EEXIST }
        }
        try folder.write("text", unused: "x")
        #expect(try folder.read("x-2", atMost: 4) == Array("text".utf8))
        #expect(hostile.isOutsideUntouched)
    }

    @Test(
        "Where a folder is expected, anything else is named and not entered",
        arguments: Trap.allCases.filter { $0 != .folder })
    func enters(_ trap: Trap) throws {
        try hostile.set(trap, at: "x")
        let folder = try folder()
        let ways: [() throws -> Void] = [
            { _ = try folder.folder("x") }, { _ = try folder.ownFolder("x") },
            { _ = try folder.read("x/file", atMost: 100) },
            { try folder.write([1], new: "x/new") }, { try folder.remove("x/file") },
            { _ = try folder.status("x/file") }, { try folder.touch("x/file") },
        ]
        for way in ways {
            #expect { try way() } throws: { isMessage($0, about: trap, "x") }
        }
        #expect(hostile.isOutsideUntouched)
    }

    @Test("Only what is missing counts as not present", arguments: Trap.allCases)
    func present(_ trap: Trap) throws {
        try hostile.set(trap, at: "x")
        let folder = try folder()
        #expect(
            try ifPresent { () throws(GuardedFileError) in
                try folder.read("y", atMost: 9)
            } == nil)
        #expect {
            try ifPresent { () throws(GuardedFileError) in try folder.read("x", atMost: 9) }
        } throws: { isMessage($0, about: trap, "x") }
        #expect(folder.entry("x") != nil && folder.file("x") == nil && folder.entry("y") == nil)
    }

    @Test("Removing a tree removes links, and not what they lead to")
    func removesTree() throws {
        try hostile.set(.folder, at: "tree")
        try hostile.set(.folder, at: "tree/inner")
        for trap in [Trap.link, .folderLink, .danglingLink, .pipe, .socket] {
            try hostile.set(trap, at: "tree/inner/\(trap)")
        }
        try hostile.set(.folderLink, at: "link")
        let folder = try folder()
        for name in ["tree", "link"] { folder.removeTree(name) }
        #expect(try folder.names() == [])
        #expect(hostile.isOutsideUntouched)
    }

    @Test(
        "Names that lead out of the folder are refused",
        arguments: ["..", ".", "", "a/../b", "/etc", "a//b"])
    func leads(_ name: String) throws {
        #expect { _ = try self.folder().read(name, atMost: 10) } throws: {
            ($0 as? GuardedFileError)?.number == EINVAL
        }
    }

    @Test("A moved file gets an unused name and replaces nothing")
    func moves() throws {
        let folder = try folder()
        let done = try folder.ownFolder("done")
        for text in ["one", "two"] {
            try folder.write(Array(text.utf8), new: "a.pdf")
            _ = try folder.move("a.pdf", to: done, as: "a.pdf")
        }
        #expect(try done.names() == ["a-2.pdf", "a.pdf"])
        #expect(try done.read("a-2.pdf", atMost: 3) == Array("two".utf8))
        #expect(done.isNew)
        #expect(try !folder.ownFolder("done").isNew)
    }

    @Test(
        "A name of 255 bytes gets a number, too",
        arguments: [
            String(repeating: "a", count: 251) + ".pdf", String(repeating: "a", count: 255),
            String(repeating: "ä", count: 125) + "x.pdf", "a." + String(repeating: "b", count: 253),
            FileNames.text([UInt8](repeating: 0xFE, count: 255)),
        ])
    func longNames(_ name: String) throws {
        let folder = try folder()
        let done = try folder.ownFolder("done")
        var moved: Set<String> = []
        for _ in 0..<3 {
            try folder.write([1], new: name)
            moved.insert(try folder.move(name, to: done, as: name))
            try done.write("why", unused: name + ".txt")
        }
        #expect(moved.count == 3 && moved.contains(name))
        #expect(try Set(done.names()).isSuperset(of: moved) && done.names().count == 6)
        #expect(moved.allSatisfy { $0.hasSuffix(".pdf") == name.hasSuffix(".pdf") })
    }

    @Test("A file with more bytes than expected is refused")
    func large() throws {
        let folder = try folder()
        try folder.write([UInt8](repeating: 7, count: 11), new: "x")
        #expect(try folder.read("x", atMost: 11).count == 11)
        #expect { _ = try folder.read("x", atMost: 10) } throws: {
            ($0 as? GuardedFileError)?.code == .tooLarge
        }
    }

    @Test("A file that claims to be larger than any memory is refused, and not read")
    func holes() throws {
        let path = hostile.path + "/x"
        try folder().write([1], new: "x")
        try #require(truncate(path, 8 << 40) == 0)
        for read in [
            { _ = try GuardedFolder.readFile(at: path) },
            { _ = try self.folder().read("x", atMost: 1 << 40) },
        ] {
            #expect { try read() } throws: { ($0 as? GuardedFileError)?.code == .tooLarge }
        }
    }

    @Test("A subfolder of another user is not used", .enabled(if: geteuid() == 0, "needs root"))
    func stranger() throws {
        let folder = try folder()
        _ = try folder.ownFolder("x")
        try #require(chown(hostile.path + "/x", 12_345, 12_345) == 0)
        #expect { _ = try folder.ownFolder("x") } throws: {
            ($0 as? GuardedFileError)?.code == .notOwn
                && ($0 as? GuardedFileError)?.message.contains("12345") == true
        }
        // Who owns the folder above may put anything there anyway.
        try #require(chown(hostile.path, 12_345, 12_345) == 0)
        #expect(throws: Never.self) { _ = try folder.ownFolder("x") }
    }

    @Test("A subfolder that others may change is not used, unless they may change the one above")
    func writable() throws {
        let folder = try folder()
        _ = try folder.ownFolder("x")
        try #require(chmod(hostile.path + "/x", 0o777) == 0)
        #expect { _ = try folder.ownFolder("x") } throws: {
            ($0 as? GuardedFileError)?.code == .notOwn
        }
        try #require(chmod(hostile.path, 0o777) == 0)
        #expect(throws: Never.self) { _ = try folder.ownFolder("x") }
    }
}
