import FoundationEssentials
import Glibc
import Testing

@testable import ScanService

/// Tests reports by the system about new files in a folder.
///
/// Without reports, each test would wait for an hour.
@Suite(.timeLimit(.minutes(10))) struct FolderChangesTests {
    let path: String

    init() throws {
        let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array((base + "/copystand-changes-XXXXXX").utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test("A file that comes, is renamed or is closed ends the wait", arguments: 0...2)
    func comes(_ way: Int) async throws {
        let other = path + "/other"
        mkdir(other, 0o755)
        let file = other + "/a.jpg"
        try Data([1]).write(to: URL(filePath: file))
        let written = way == 2 ? open(file, O_WRONLY) : -1
        let changes = FolderChanges()
        #expect(changes.watch([path, other]))
        // Watching the same folders again changes nothing.
        #expect(changes.watch([path, other]))
        async let end: Void = changes.wait(atMost: 3600)
        switch way {
        case 0: try Data([1]).write(to: URL(filePath: path + "/b.jpg"))
        case 1: rename(file, path + "/a.jpg")
        default: close(written)
        }
        await end
    }

    @Test("A write to a file that stays open ends the wait, if writes are watched")
    func writes() async throws {
        let written = open(path + "/log", O_WRONLY | O_CREAT, 0o600)
        defer { close(written) }
        let changes = FolderChanges(seesWrites: true)
        #expect(changes.watch([path]))
        async let end: Void = changes.wait(atMost: 3600)
        #expect(write(written, "a", 1) == 1)
        await end
    }

    @Test("A canceled task no longer waits")
    func canceled() async {
        let changes = FolderChanges()
        #expect(changes.watch([path]))
        let waiting = Task { await changes.wait(atMost: 3600) }
        waiting.cancel()
        await waiting.value
    }

    @Test("A missing folder, or a file, is not watched")
    func gone() throws {
        try Data([1]).write(to: URL(filePath: path + "/file"))
        let changes = FolderChanges()
        #expect(!changes.watch([path, path + "/nowhere"]))
        #expect(!changes.watch([path + "/file"]))
    }
}
