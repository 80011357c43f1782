import FoundationEssentials
import Glibc
import Testing

@testable import ScanService

/// Tests whether a file that a page was read from is still the same.
@Suite struct SourceFileTests {
    let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/copystand-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("picture".utf8).write(to: URL(filePath: folder + "/a, page 2"))
    }

    private var path: String { folder + "/a, page 2" }
    /// A time so late that every file of the test is old.
    private var later: Int64 { SourceFile.now + 1_000_000_000 }

    /// The changes that may happen to a file, by name.
    static let changes = [
        "other bytes of the same size", "removed", "replaced", "truncated", "touched", "chmod",
        "the old times again",
    ]

    private func change(_ what: String) throws {
        let file = URL(filePath: path)
        switch what {
        case "other bytes of the same size", "the old times again":
            var before = stat()
            #expect(stat(path, &before) == 0)
            let descriptor = open(path, O_WRONLY | O_CLOEXEC)
            #expect(pwrite(descriptor, "P", 1, 0) == 1)
            if what == "the old times again" {
                // The time of the change itself can't be set back.
                #expect(futimens(descriptor, [before.st_atim, before.st_mtim]) == 0)
            }
            close(descriptor)
        case "removed": #expect(unlink(path) == 0)
        case "replaced":
            try Data("picture".utf8).write(to: URL(filePath: folder + "/new"))
            #expect(rename(folder + "/new", path) == 0)
        case "truncated": #expect(truncate(path, 3) == 0)
        case "touched": #expect(utimensat(AT_FDCWD, path, nil, 0) == 0)
        default: #expect(chmod(file.path, 0o600) == 0 && chmod(file.path, 0o640) == 0)
        }
    }

    @Test("A file is the same only as long as nothing of it has changed", arguments: changes)
    func changed(_ what: String) throws {
        let file = try #require(SourceFile(device: "file:" + path, label: nil, begun: later))
        #expect(file.isUnchanged)
        // The kernel's times advance in steps of a few milliseconds.
        var status = stat()
        #expect(stat(path, &status) == 0)
        let before = status.st_ctim
        repeat {
            try Data().write(to: URL(filePath: folder + "/tick"))
            #expect(stat(folder + "/tick", &status) == 0)
        } while status.st_ctim.tv_nsec == before.tv_nsec
        try change(what)
        #expect(!file.isUnchanged)
    }

    @Test("In a folder the file is found by the page's label")
    func inFolder() {
        for label in ["a, page 2", "a, page 2, page 7"] {
            #expect(SourceFile(device: "file:" + folder, label: label, begun: later) != nil)
        }
        #expect(SourceFile(device: "file:" + folder, label: "b", begun: later) == nil)
        #expect(SourceFile(device: "file:" + folder, label: nil, begun: later) == nil)
    }

    @Test(
        "A file that changed during reading is never certainly the same, nor is a scanner's page"
    )
    func changedMeanwhile() {
        #expect(SourceFile(device: "file:" + path, label: nil, begun: 0) == nil)
        #expect(SourceFile(device: "virtual:feeder", label: "sheet 1", begun: later) == nil)
    }
}
