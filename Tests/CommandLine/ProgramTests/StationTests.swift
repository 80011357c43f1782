import FoundationEssentials
import Testing

/// A host whose archive is on a server.
@Suite struct StationTests {
    @Test(
        "What is scanned while the archive's server is away arrives once and in order when it is back",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/lib/postgresql/15/bin/pg_ctl"),
            "PostgreSQL 15 is not installed"))
    func away() throws {
        let home = try TemporaryFolder()
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let tests = here.deletingLastPathComponent().deletingLastPathComponent().path
        let outcome = try BuiltProgram.spawn(
            "/usr/bin/python3",
            [
                "-B", here.path + "/Support/station.py", BuiltProgram.path,
                tests + "/Delivery/ArchiveTests/Support/postgresql.sh", try home.folder(),
            ], in: home
        ).wait()
        #expect(outcome.status == 0 && outcome.output == "arrived\n", "\(outcome)")
    }
}
