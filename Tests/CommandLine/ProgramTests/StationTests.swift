import FoundationEssentials
import Testing

/// Machines that share an archive on a server.
@Suite(
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/lib/postgresql/15/bin/pg_ctl"),
        "PostgreSQL 15 is not installed"))
struct StationTests {
    @Test(
        "What is scanned while the archive's server is away arrives once and in order when it is back"
    )
    func away() throws { try expect("station.py", "arrived") }

    @Test(
        "Pages that are left to workers become the same documents as here, whatever happens to workers"
    )
    func workers() throws { try expect("workers.py", "worked") }

    @Test("A station's API and events say where the pages of each job are")
    func places() throws { try expect("places.py", "placed") }

    /// Runs a script with a server of its own, which says that word at the end.
    private func expect(_ script: String, _ word: String) throws {
        let home = try TemporaryFolder()
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let tests = here.deletingLastPathComponent().deletingLastPathComponent().path
        let outcome = try BuiltProgram.spawn(
            "/usr/bin/python3",
            [
                "-B", here.path + "/Support/" + script, BuiltProgram.path,
                tests + "/Delivery/ArchiveTests/Support/postgresql.sh", try home.folder(),
            ], in: home
        ).wait()
        #expect(outcome.status == 0 && outcome.output == word + "\n", "\(outcome)")
    }
}
