import Foundation
import Testing

/// What `copystand sinks` keeps, asks and tells.
@Suite struct SinkSettingTests {
    let program: Program
    init() throws { program = try Program() }

    @Test("Names stand for addresses, and are listed and forgotten")
    func addresses() throws {
        let words = ["sinks", "addresses"]
        #expect(try program.run(words + ["add", "bob", "bob@example.org"]).status == 0)
        let board = ["add", "board", "ada@example.org", "bob@example.org"]
        #expect(try program.run(words + board).status == 0)
        let listed = try program.run(words + ["--json"]).output
        let known = try JSONDecoder().decode(
            [String: [String: [String]]].self, from: Data(listed.utf8))
        #expect(
            known == [
                "addresses": [
                    "bob": ["bob@example.org"], "board": ["ada@example.org", "bob@example.org"],
                ]
            ])
        let wrong = try program.run(words + ["add", "eve", "nobody"])
        #expect(wrong.status != 0 && wrong.messages.contains("'nobody' is no e-mail address"))
        #expect(try program.run(words + ["remove", "bob"]).status == 0)
        #expect(try program.run(words).output.contains("board"))
        #expect(try !program.run(words).output.contains("bob  "))
        let typo = try program.run(["scan", "--sink", "email:bord"])
        #expect(typo.messages.contains("'board'"), "\(typo.messages)")
    }

    @Test("The key of an SSH server is shown, and taken without a question only where that is said")
    func hostKey() throws {
        let server = try SSHHost(in: program.home.path)
        defer { server.process.terminate() }
        let words = [
            "sinks", "add", "nas", "-k", "sftp", "--url", "sftp://127.0.0.1:\(server.port)/",
            "--user", "ada", "--parameter", "key-file=/etc/hostname",
        ]
        let unasked = try program.run(words)
        #expect(unasked.status == 2, "\(unasked.messages)")
        #expect(unasked.messages.contains("host-key=" + server.key), "\(unasked.messages)")
        #expect(try program.run(["sinks"]).output.isEmpty)
        let trusted = try program.run(words + ["--trust-server"])
        #expect(trusted.status == 0 && trusted.messages.contains(server.key))
        let kept = try String(
            contentsOfFile: program.home.path + "/.config/copystand/sinks.json", encoding: .utf8)
        #expect(kept.contains(server.key))
    }
}

/// OpenSSH's server on loopback, which lets nobody in.
private struct SSHHost {
    let process: Process
    let port: Int
    /// The SHA-256 of its key, as ssh-keygen tells it.
    let key: String

    init(in folder: String) throws {
        if geteuid() == 0 { mkdir("/run/sshd", 0o755) }
        let path = folder + "/host"
        _ = try tool("/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path)
        let told = try #require(try tool("/usr/bin/ssh-keygen", "-lf", path + ".pub"))
        key = String(told.split(separator: " ")[1])
        port = Int.random(in: 20_000..<30_000)
        let settings =
            "Port \(port)\nListenAddress 127.0.0.1\nHostKey \(path)\nUsePAM no\nPidFile none\n"
        try settings.write(toFile: folder + "/conf", atomically: true, encoding: .utf8)
        process = Process()
        process.executableURL = URL(filePath: "/usr/sbin/sshd")
        process.arguments = ["-D", "-e", "-f", folder + "/conf"]
        let said = Pipe()
        process.standardError = said
        try process.run()
        try #require(MessageStream(said.fileHandleForReading).wait(for: "listening on"))
    }
}
