import Glibc
import Testing

/// Tests servers that are known by a key, as a user adds them on a terminal.
@Suite struct SinkHostKeyTests {
    @Test(
        "The key of an SFTP server is confirmed once, and no other server gets a document",
        .enabled(
            if: access("/usr/sbin/sshd", X_OK) == 0 && access("/usr/bin/python3", X_OK) == 0,
            "sshd or python3 is not installed"))
    func confirmed() throws {
        let home = try TemporaryFolder()
        let script =
            "/"
            + (#filePath.split(separator: "/").dropLast().map(String.init)
            + ["Support/host_key.py"]).joined(separator: "/")
        let outcome = try BuiltProgram.spawn(
            "/usr/bin/python3", [script, BuiltProgram.path, try home.folder()], in: home
        ).wait()
        #expect(outcome.status == 0 && !outcome.output.contains("FAILED"), "\(outcome)")
        #expect(outcome.output.split(separator: "\n").count == 8, "\(outcome)")
    }
}
