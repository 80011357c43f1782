import FoundationEssentials
import Glibc
import Testing

@testable import Archive

/// Tests the state that remains if a process is killed while it makes an archive.
@Suite struct HalfMadeTests {
    /// The states in which an archive's file may be left.
    enum State: String, CaseIterable, Sendable {
        case emptyFile
        case headerWithoutTables
        case firstStepOnly
        case withoutItsLog
        case journalLeft
        case allButTheLastStep
    }

    private func leave(_ state: State, in folder: TestFolder) throws {
        let path = folder.archive + "/archive.sqlite"
        try makeFolder(folder.archive)
        switch state {
        case .emptyFile: close(open(path, O_CREAT | O_WRONLY, 0o600))
        case .headerWithoutTables:
            try Connection(path: path, .create, patience: 0).run("PRAGMA journal_mode = WAL")
        case .firstStepOnly: try migrate(path, steps: 1)
        case .allButTheLastStep: try migrate(path, steps: ArchiveSchema.steps.count - 1)
        case .withoutItsLog:
            try migrate(path, steps: ArchiveSchema.steps.count)
            for ending in ["-wal", "-shm"] { unlink(path + ending) }
        case .journalLeft:
            // The file after the first write, copied while the archive is being made.
            let making = folder.path + "/making.sqlite"
            let database = try Connection(path: making, .create, patience: 0)
            try database.script("PRAGMA cache_size = 1; BEGIN; CREATE TABLE filler (bytes)")
            for _ in 0..<50 { try database.script("INSERT INTO filler VALUES (zeroblob(4000))") }
            try FileManager.default.copyItem(atPath: making, toPath: path)
            try FileManager.default.copyItem(atPath: making + "-journal", toPath: path + "-journal")
            try database.script("ROLLBACK")
        }
    }

    private func migrate(_ path: String, steps: Int) throws {
        let connection = try Connection(path: path, .create, patience: 0)
        try connection.run("PRAGMA journal_mode = WAL")
        try Migrator(Array(ArchiveSchema.steps.prefix(steps))).migrate(connection)
    }

    @Test(
        "A half-made archive is finished by a reader, and can be written",
        arguments: State.allCases)
    func read(state: State) throws {
        let folder = try TestFolder()
        try leave(state, in: folder)
        #expect(try folder.open(.readOnly).documents().isEmpty)
        #expect(try folder.open(.readOnly).search("anything").hits.isEmpty)
        try folder.open(.create).add("A", "text")
        #expect(try folder.open(.readOnly).documents().count == 1)
    }

    @Test(
        "Readers and writers that find a half-made archive at the same time can all use it",
        arguments: [State.emptyFile, .headerWithoutTables, .firstStepOnly])
    func together(state: State) async throws {
        let folder = try TestFolder()
        try leave(state, in: folder)
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    let archive = try folder.open(number.isMultiple(of: 2) ? .readOnly : .create)
                    _ = try archive.documents()
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Processes that make and read an archive at the same time can all use it")
    func processes() throws {
        let folder = try TestFolder()
        let makers = try (0..<6).map {
            try ArchiveProcess(["add", folder.archive, "2", "1", "\($0)"])
        }
        for maker in makers { #expect(maker.wait().1 == 0) }
        #expect(try folder.open(.readOnly).documents().count == 12)
    }

    @Test(
        "Without write access, the error says that the archive is incomplete",
        .enabled(if: canMount, "needs root, to mount a file system read-only"))
    func readOnlyFolder() throws {
        let folder = try TestFolder()
        try leave(.emptyFile, in: folder)
        try #require(mount(folder.path, folder.path, "", UInt(MS_BIND), "") == 0)
        defer { umount2(folder.path, CInt(MNT_DETACH)) }
        try #require(
            mount("", folder.path, "", UInt(MS_BIND | MS_REMOUNT | MS_RDONLY), "") == 0)
        #expect {
            try folder.open(.readOnly)
        } throws: {
            let error = $0 as? ArchiveError
            return error?.code == .missing && error?.message.contains("not finished") == true
        }
    }

    @Test("An archive in a folder whose path is too long for SQLite works like any other")
    func longPath() throws {
        let folder = try TestFolder()
        let place =
            folder.path
            + String(repeating: "/" + String(repeating: "\u{10FFFE}", count: 250), count: 3)
        let archive = try Archive(folder: place, .create)
        try archive.add("A", "some text")
        #expect(try Archive(folder: place, .readOnly).found("some") == ["A"])
    }
}
