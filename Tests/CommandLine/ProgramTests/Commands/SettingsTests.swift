import FoundationEssentials
import Glibc
import Testing

/// Tests settings that several runs of the program change at the same time, or that other users
/// could have changed.
@Suite struct SettingsTests {
    @Test("Eight programs add and remove tokens and sinks at once without losing any")
    func together() throws {
        let home = try TemporaryFolder()
        for number in 1...8 {
            let made = try BuiltProgram.run(["token", "add", "old-\(number)"], in: home)
            #expect(made.status == 0)
        }
        try atATime(8, in: home) { writer in
            """
            set -e
            "$P" token remove -q old-\(writer)
            for i in 1 2 3 4 5 6 7 8; do
                "$P" token add w\(writer)-$i
                "$P" sinks add w\(writer)-$i -q -k file --template /s/{title}.pdf
            done
            "$P" token remove -q w\(writer)-8
            "$P" sinks remove -q w\(writer)-8
            """
        }
        let wanted = (1...8).flatMap { writer in (1...7).map { "w\(writer)-\($0)" } }.sorted()
        #expect(try names("tokens", in: home) == wanted)
        #expect(try names("sinks", in: home) == wanted)
    }

    @Test("Eight programs name devices at once without losing a name")
    func devices() throws {
        let home = try TemporaryFolder()
        try atATime(8, in: home) { writer in
            """
            set -e
            for i in 1 2 3 4; do "$P" device alias -q w\(writer)-$i virtual:flatbed; done
            """
        }
        struct Book: Decodable { var aliases: [String: String] }
        let file = URL(filePath: home.path + "/.config/copystand/devices.json")
        let book = try JSONDecoder().decode(Book.self, from: Data(contentsOf: file))
        let wanted = (1...8).flatMap { writer in (1...4).map { "w\(writer)-\($0)" } }.sorted()
        #expect(book.aliases.keys.sorted() == wanted)
    }

    /// A way in which another user could change or read a file, the command that detects it, and
    /// the expected advice.
    struct Fault: Sendable, CustomTestStringConvertible {
        var file: String
        var harm: String
        var command: String
        var advice: String
        var testDescription: String { "\(harm): \(command)" }
    }

    @Test(
        "Settings and secrets with open permissions are refused, with the command that fixes it",
        arguments: [
            Fault(
                file: "tokens.json", harm: "chmod 640 F", command: "token", advice: "chmod 600 F"),
            Fault(
                file: "tokens.json", harm: "chmod 707 D", command: "token", advice: "chmod o-w D"),
            Fault(
                file: "tokens.json", harm: "chmod 1707 D", command: "token add new",
                advice: "chmod o-w D"),
            Fault(
                file: "tokens.json", harm: "chmod 602 F",
                command: "serve --token --listen 127.0.0.1:0", advice: "chmod 600 F"),
            Fault(file: "sinks.json", harm: "chmod 644 F", command: "sinks", advice: "chmod 600 F"),
            Fault(
                file: "sinks.json", harm: "chmod 707 D", command: "sinks remove shelf",
                advice: "chmod o-w D"),
            Fault(
                file: "sinks.json", harm: "chmod 707 D", command: "outbox retry",
                advice: "chmod o-w D"),
            Fault(
                file: "https.pem", harm: "chmod 604 F",
                command: "serve --tls --listen 127.0.0.1:0", advice: "chmod 600 F"),
            Fault(
                file: "devices.json", harm: "chmod 606 F", command: "scan -o x.pdf",
                advice: "chmod o-w F"),
            Fault(
                file: "devices.json", harm: "chmod 707 D",
                command: "device default virtual:flatbed",
                advice: "chmod o-w D"),
            Fault(
                file: "profiles/mine.json5", harm: "chmod 646 F", command: "profiles show mine",
                advice: "chmod o-w F"),
            Fault(
                file: "sinks.json", harm: "chown 47114 F", command: "sinks",
                advice: "sudo chown root F"),
            Fault(
                file: "tokens.json", harm: "chown 47114 D", command: "token",
                advice: "sudo chown root D"),
        ])
    func refused(_ fault: Fault) throws {
        if fault.harm.hasPrefix("chown"), geteuid() != 0 {
            try Test.cancel("only root can give files away")
        }
        let home = try TemporaryFolder()
        let folder = home.path + "/.config/copystand"
        let text = fault.file.hasSuffix("5") ? "{ title: \"Mine\", steps: [] }" : "{}"
        let file = try home.write(".config/copystand/" + fault.file, text, mode: 0o600)
        chmod(folder, 0o700)
        func filled(_ text: String) -> String {
            text.replacing(" F", with: " " + file).replacing(" D", with: " " + folder)
        }
        let outcome = try BuiltProgram.shell(
            "\(filled(fault.harm)) && exec $P \(fault.command)", in: home)
        #expect([1, 2].contains(outcome.status), "\(outcome.status) \(outcome.errors)")
        #expect(outcome.errors.contains(filled(fault.advice)), "\(outcome.errors)")
        #expect(try String(contentsOf: URL(filePath: file), encoding: .utf8) == text)
    }

    @Test("A backend in a folder that others can change is not started")
    func backend() throws {
        let home = try TemporaryFolder()
        let folder = home.path + "/.local/share/copystand/backends"
        try home.write(
            ".local/share/copystand/backends/evil/run", "#!/bin/sh\ntouch \(home.path)/started\n",
            mode: 0o755)
        try home.write(
            ".local/share/copystand/backends/evil/backend.json",
            #"{"id": "evil", "name": "Evil", "protocol": 1, "program": "run"}"#)
        for harmed in [folder, folder + "/evil", folder + "/evil/run"] {
            chmod(harmed, 0o757)
            let outcome = try BuiltProgram.run(["devices"], in: home)
            #expect(
                (outcome.output + outcome.errors).contains("chmod o-w \(harmed)"),
                "\(outcome.errors)")
            #expect(access(home.path + "/started", F_OK) != 0)
            chmod(harmed, 0o755)
        }
    }

    @Test("Settings that are a symbolic link stay a link")
    func link() throws {
        let home = try TemporaryFolder()
        try home.write("dotfiles/sinks.json", #"{"sinks": {}}"#, mode: 0o600)
        try home.write(".config/copystand/other")
        for folder in ["dotfiles", ".config", ".config/copystand"] {
            chmod(home.path + "/" + folder, 0o700)
        }
        let link = home.path + "/.config/copystand/sinks.json"
        #expect(symlink("../../dotfiles/sinks.json", link) == 0)
        let outcome = try BuiltProgram.run(
            ["sinks", "add", "shelf", "-k", "file", "--template", "/s/{title}.pdf"], in: home)
        #expect(outcome.status == 0, "\(outcome.errors)")
        var about = stat()
        #expect(lstat(link, &about) == 0 && about.st_mode & S_IFMT == S_IFLNK)
        let file = URL(filePath: home.path + "/dotfiles/sinks.json")
        #expect(try String(contentsOf: file, encoding: .utf8).contains("shelf"))
    }

    /// Runs scripts at the same time, and expects success of each.
    private func atATime(
        _ count: Int, in home: TemporaryFolder, _ script: (Int) -> String
    ) throws {
        let running = try (1...count).map { number in
            try BuiltProgram.spawn(
                "/bin/sh", ["-c", script(number)], in: home, environment: ["P": BuiltProgram.path])
        }
        for one in running {
            let outcome = try one.wait()
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
    }

    private func names(_ kind: String, in home: TemporaryFolder) throws -> [String] {
        struct Named: Decodable { var name: String }
        let command = kind == "tokens" ? "token" : "sinks"
        let outcome = try BuiltProgram.run([command, "list", "--json"], in: home)
        let lists = try JSONDecoder().decode(
            [String: [Named]].self, from: Data(outcome.output.utf8))
        return (lists[kind] ?? []).map(\.name).sorted()
    }
}
