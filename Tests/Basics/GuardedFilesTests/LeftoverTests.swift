import FileNames
import FoundationEssentials
import Glibc
import Testing

@testable import GuardedFiles

/// Tests what is removed as the rest of a killed process, and what stays.
@Suite struct LeftoverTests {
    private let hostile = try! HostileFolder()

    private func folder() throws -> GuardedFolder { try GuardedFolder(hostile.path) }

    /// A work name of a process of this machine that has ended.
    private static func abandoned(_ name: String) -> String {
        let own = ProcessMark.own.text.split(separator: "-")
        return ".\(name).k3x0qa.\(own[0])-\(own[1])-1.partial"
    }

    @Test("Files that a dead process left are removed, and others stay")
    func files() throws {
        let folder = try folder()
        let kept = ["a.pdf", WorkName.new(for: "mine.pdf"), ".a.pdf.k3x0qa.partial"]
        let left = [Self.abandoned("a.pdf"), Self.abandoned(FileNames.text([0xFF, 0x0A]))]
        for name in kept + left { try folder.write([1], new: name) }
        folder.removeLeftovers()
        #expect(try Set(folder.names()) == Set(kept))
    }

    @Test("A file stays while a process holds a lock on it")
    func locked() throws {
        let folder = try folder()
        let name = Self.abandoned("locked")
        try folder.write([1], new: name)
        let held = try folder.open(name).descriptor
        flock(held, LOCK_SH)
        folder.removeLeftovers()
        #expect(folder.hasFile(name))
        // A program that another test starts may have inherited the descriptor.
        flock(held, LOCK_UN)
        close(held)
        folder.removeLeftovers()
        #expect(folder.isFree(name))
    }

    @Test("Links, pipes and folders under work names stay", arguments: Trap.allCases)
    func traps(_ trap: Trap) throws {
        let name = Self.abandoned("x")
        try hostile.set(trap, at: name)
        let folder = try folder()
        folder.removeLeftovers()
        folder.removeLeftovers { _, _ in false }
        #expect(!folder.isFree(name))
        #expect(hostile.isOutsideUntouched)
    }

    @Test("A folder that someone has given a work name stays with all that is in it")
    func renamed() throws {
        let folder = try folder()
        let name = Self.abandoned("x")
        try folder.ownFolder(name).write([1], new: "letter.pdf")
        for _ in 0..<2 {
            folder.removeLeftovers { inner, _ in inner.isWorkFolder }
            #expect(folder.hasFile(name + "/letter.pdf"))
        }
    }

    @Test("The unfinished work folder of a dead process is removed, without following links")
    func work() throws {
        let folder = try folder()
        let name = Self.abandoned("backup")
        do {
            let work = try folder.newWorkFolder(name)
            try work.ownFolder("x").write([1], new: "y")
            try #require(symlink(hostile.outside, work.path + "/link") == 0)
            // It is locked while it is made.
            folder.removeLeftovers { inner, _ in inner.isWorkFolder }
            #expect(work.hasFile("x/y"))
            flock(work.descriptor, LOCK_UN)
        }
        folder.removeLeftovers { inner, _ in inner.isWorkFolder }
        #expect(folder.isFree(name))
        #expect(hostile.isOutsideUntouched)
    }

    @Test("A finished work folder has its name and no mark")
    func finished() throws {
        let folder = try folder()
        let work = try folder.newWorkFolder("work")
        try work.write([1], new: "x")
        try folder.rename(work: work, "work", as: "backup")
        #expect(try folder.names() == ["backup"])
        #expect(try folder.folder("backup").names() == ["x"])
        #expect(try !folder.folder("backup").isWorkFolder)
    }

    @Test("What is put in the place of a work folder does not get its name")
    func exchanged() throws {
        let folder = try folder()
        let work = try folder.newWorkFolder("work")
        try #require(rename(hostile.path + "/work", hostile.path + "/away") == 0)
        try hostile.set(.folderLink, at: "work")
        #expect { try folder.rename(work: work, "work", as: "backup") } throws: {
            ($0 as? GuardedFileError)?.code == .notOwn
        }
        folder.removeFolder("work", work)
        #expect(folder.isFree("backup") && hostile.isOutsideUntouched)
        #expect(try folder.folder("away").names() == [])
    }
}
