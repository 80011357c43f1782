import FoundationEssentials
import Glibc
import Testing

@Suite struct ProgramCommandTests {
    let home: TemporaryFolder
    init() throws { home = try TemporaryFolder() }

    private struct Devices: Decodable {
        struct Device: Decodable {
            var id, backend, name, kind, state: String
            var sources, aliases: [String]
            var isDefault: Bool
        }
        struct Problem: Decodable {
            var code, message: String
            var backend: String?
        }
        var devices: [Device]
        var problems: [Problem]
    }

    private func json<Value: Decodable>(_ line: [String], _ type: Value.Type) throws -> Value {
        let run = try BuiltProgram.run(line, in: home)
        return try JSONDecoder().decode(type, from: Data(run.output.utf8))
    }

    @Test("Devices are listed as a table and as JSON")
    func devices() throws {
        let run = try BuiltProgram.run(["devices", "-b", "virtual"], in: home)
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("DEVICE "))
        #expect(run.output.contains("\nvirtual:flatbed "))
        let listing = try json(["devices", "--backend", "virtual", "--json"], Devices.self)
        #expect(listing.devices.contains { $0.id == "virtual:flatbed" && $0.kind == "scanner" })
        #expect(listing.devices.allSatisfy { $0.backend == "virtual" && !$0.isDefault })
        #expect(listing.problems.isEmpty)
    }

    @Test("The default device and aliases persist")
    func names() throws {
        #expect(
            try BuiltProgram.run(["device", "alias", "desk", "virtual:flatbed"], in: home).status
                == 0)
        let set = try BuiltProgram.run(["device", "default", "desk"], in: home)
        #expect(set.status == 0 && set.output == "" && set.errors.contains("virtual:flatbed"))
        #expect(
            try BuiltProgram.run(["device", "default", "-q"], in: home).output
                == "virtual:flatbed\n")
        let listing = try json(["devices", "--json"], Devices.self)
        let device = try #require(listing.devices.first { $0.id == "virtual:flatbed" })
        #expect(device.isDefault && device.aliases == ["desk"])
        #expect(try BuiltProgram.run(["device", "unalias", "desk"], in: home).status == 0)
        #expect(try BuiltProgram.run(["device", "default", "--clear"], in: home).status == 0)
        #expect(try BuiltProgram.run(["device", "default"], in: home).status == 3)
        #expect(try BuiltProgram.run(["options", "desk"], in: home).status == 3)
    }

    @Test("A device's options are listed as text and as JSON")
    func options() throws {
        struct Options: Decodable {
            struct Option: Decodable {
                struct Kind: Decodable { var kind: String }
                var name: String
                var type: Kind
            }
            var device: String
            var options: [Option]
        }
        let text = try BuiltProgram.run(["options", "virtual:flatbed"], in: home)
        #expect(text.status == 0)
        #expect(text.output.contains("\n  resolution "))
        let listing = try json(["options", "virtual:flatbed", "--json"], Options.self)
        #expect(listing.device == "virtual:flatbed")
        #expect(
            listing.options.contains { $0.name == "resolution" && $0.type.kind == "integerChoice" })
    }

    @Test("A broken backend is reported and harms no other")
    func brokenBackend() throws {
        struct Backends: Decodable {
            struct Backend: Decodable {
                var id: String
                var problem: String?
            }
            var backends: [Backend]
        }
        try home.write("more/broken.json", "{")
        try home.write(
            "more/gone.json", #"{"id":"gone","name":"Gone","protocol":1,"program":"gone"}"#)
        let more = ["COPYSTAND_BACKENDS": home.path + "/more"]
        let list = try BuiltProgram.run(["backends", "--json"], in: home, environment: more)
        let backends = try JSONDecoder().decode(Backends.self, from: Data(list.output.utf8))
            .backends
        for id in ["broken", "gone"] {
            let problem = backends.first { $0.id == id }?.problem
            #expect(problem != nil, "\(id)")
        }
        #expect(backends.contains { $0.id == "virtual" && $0.problem == nil })
        let devices = try BuiltProgram.run(["devices"], in: home, environment: more)
        #expect(devices.status == 0 && devices.output.contains("virtual:flatbed"))
        let one = try BuiltProgram.run(["devices", "-b", "gone"], in: home, environment: more)
        #expect(one.status == 4 && one.errors.contains("gone"))
    }

    @Test("A backend that can't be started is reported where its devices are missing")
    func unusableBackends() throws {
        try home.write("b/one.json", "{")
        try home.write(
            "b/two.json", #"{"id":"two","name":"Two","protocol":1,"program":"unbuilt"}"#)
        let outcome = try BuiltProgram.run(
            ["devices"], in: home, environment: ["COPYSTAND_BACKENDS": home.path + "/b"])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("\nvirtual:flatbed "))
        #expect(outcome.errors.contains("'one' can't be used: its manifest is not a JSON object"))
        #expect(outcome.errors.contains("/unbuilt does not exist: build it"))
    }

    @Test("A preview does not feed a sheet without a request")
    func previewWithoutGlass() throws {
        let stripes = TutorialPage.root + "/Examples/PythonBackend"
        let environment = ["COPYSTAND_BACKENDS": stripes]
        let line = ["preview", "-d", "stripes:feeder", "-o", home.path + "/look.png"]
        let refused = try BuiltProgram.run(line, in: home, environment: environment)
        #expect(refused.status == 4 && refused.errors.contains("would feed a sheet"))
        #expect(refused.errors.contains("--source feeder"))
        #expect(access(home.path + "/look.png", F_OK) != 0)
    }

    @Test("A profile is shown, checked, and listed with its mistakes")
    func profiles() throws {
        let shown = try BuiltProgram.run(["profiles", "show", "document"], in: home)
        #expect(shown.status == 0)
        let good = try home.write(".config/copystand/profiles/mine.json5", shown.output)
        #expect(try BuiltProgram.run(["profiles", "check", good], in: home).status == 0)
        let bad = try home.write(".config/copystand/profiles/bad.json5", "{ titel: 'x' }")
        let check = try BuiltProgram.run(["profiles", "check", bad], in: home)
        #expect(check.status == 2 && check.output == "" && check.errors.contains("bad.json5:1:"))
        let list = try BuiltProgram.run(["profiles", "list"], in: home)
        #expect(list.status == 0)
        #expect(list.output.contains("\nmine ") && list.output.contains("\ndocument "))
        #expect(list.errors.contains("bad.json5:1:"))
    }

    @Test("'doctor' suggests commands, with the same contents as text and as JSON")
    func doctor() throws {
        struct Doctor: Decodable {
            struct Finding: Decodable {
                var check, state, message: String
                var remedy: String?
            }
            var ok: Bool
            var findings: [Finding]
        }
        let text = try BuiltProgram.run(["doctor"], in: home)
        let json = try BuiltProgram.run(["doctor", "--json"], in: home)
        let doctor = try JSONDecoder().decode(Doctor.self, from: Data(json.output.utf8))
        #expect(doctor.ok == !doctor.findings.contains { $0.state == "failure" })
        #expect(doctor.ok == (json.status == 0) && text.status == json.status)
        #expect(doctor.findings.allSatisfy { ($0.state == "ok") == ($0.remedy == nil) })
        #expect(
            text.output.split(separator: "\n").count { !$0.hasPrefix(" ") } == doctor.findings.count
        )
        #expect(doctor.findings.contains { $0.message.hasPrefix("virtual answers") })
    }

    @Test(
        "Values for completion are printed a line each, with a tab before the description",
        arguments: [
            ("devices", "virtual:flatbed\t"), ("backends", "virtual\t"), ("profiles", "document\t"),
            ("step-names", "deskew\t"), ("steps", "deskew=\t"),
        ])
    func values(kind: String, line: String) throws {
        let run = try BuiltProgram.run(["completions", "--values", kind], in: home)
        #expect(run.status == 0)
        #expect(run.output.split(separator: "\n").contains { $0.hasPrefix(line) }, "\(run.output)")
        #expect(run.output.split(separator: "\n").allSatisfy { $0.contains("\t") })
    }

    @Test("Every shell reads its completion script", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) throws {
        guard SharingHost.isThere(shell) else { try Test.cancel("needs \(shell)") }
        let run = try BuiltProgram.shell(
            "cd && $P completions \(shell) >c && \(shell) -n c", in: home)
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    }

    @Test("The man page passes mandoc's checks", .needs("mandoc"))
    func manualPage() throws {
        let lint = try BuiltProgram.shell(
            "cd && $P man-page >m.1 && mandoc -T lint -W warning m.1", in: home)
        #expect(lint.status == 0 && lint.output == "", "\(lint.output)")
    }
}
