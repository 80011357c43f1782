import FoundationEssentials
import Testing

/// `copystand backend trace`, with the virtual backend and one whose pixels go through the socket.
@Suite struct TraceTests {
    private struct Entry: Decodable {
        struct Message: Decodable {
            var request: Int?
            var answer: Int?
            var event: String?
            var verb: String?
            var bytes: Int?
        }
        var time: Double
        var backend: String
        var from: String
        var size: Int
        var bytes: Int?
        var descriptor: Bool?
        var verb: String?
        var took: Double?
        var message: Message
    }

    private static var stripes: String { TutorialPage.root + "/Examples/PythonBackend" }

    private func entries(_ text: String) throws -> [Entry] {
        try text.split(separator: "\n").map {
            try JSONDecoder().decode(Entry.self, from: Data($0.utf8))
        }
    }

    @Test("Every traced message is a line of JSON with size, time and sender; pixels are counted")
    func json() throws {
        let home = try TemporaryFolder()
        let file = home.path + "/talk.jsonl"
        let outcome = try BuiltProgram.run(
            [
                "backend", "trace", Self.stripes, "--json", "-o", file, "--", "scan", "-d",
                "stripes:feeder", "--profile", "none", "--set", "pages=2", "-o",
                home.path + "/x.tiff",
            ], in: home)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let entries = try entries(text)
        #expect(entries.first?.message.verb == "hello")
        #expect(entries.allSatisfy { $0.backend == "stripes" })
        #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.time <= $1.time + 0.01 })
        // Each request has an answer with the request's verb and duration.
        let requests = entries.filter { $0.from == "host" }.compactMap(\.message.request)
        let answers = entries.filter { $0.from == "backend" }.filter { $0.message.answer != nil }
        #expect(Set(requests) == Set(answers.compactMap(\.message.answer)))
        #expect(answers.allSatisfy { $0.verb != nil && ($0.took ?? -1) >= 0 })
        // Two pages of 300 rows of 200 bytes.
        let pixels = entries.filter { $0.message.event == "pixels" }
        #expect(pixels.compactMap(\.bytes).reduce(0, +) == 2 * 300 * 200)
        #expect(text.utf8.count < 2 * 300 * 200 + 100_000)
        #expect(entries.contains { $0.message.verb == "set" })
        #expect(!text.contains("\"faults\""))
    }

    @Test("Whatever violates the protocol's schemas is marked, with its place")
    func faults() throws {
        let home = try TemporaryFolder()
        let source = try String(contentsOfFile: Self.stripes + "/stripes.py", encoding: .utf8)
        let broken = source.replacing("\"kind\": \"scanner\"", with: "\"kind\": 7")
        try #require(broken != source)
        let manifest = try String(contentsOfFile: Self.stripes + "/backend.json", encoding: .utf8)
        try home.write("stripes/backend.json", manifest)
        try home.write("stripes/stripes.py", broken, mode: 0o755)
        let outcome = try BuiltProgram.run(
            ["backend", "trace", home.path + "/stripes", "--", "devices"], in: home)
        let line = "✗ devices[0].kind is 7, not of type string"
        #expect(outcome.errors.contains(line), "\(outcome.errors)")
        #expect(outcome.errors.contains(" messages do not match Docs/protocol/"))
        let json = try BuiltProgram.run(
            ["backend", "trace", home.path + "/stripes", "--json", "--", "devices"], in: home)
        #expect(json.errors.contains(#""faults":["devices[0].kind is 7"#), "\(json.errors)")
        #expect(json.errors.split(separator: "\n").count { $0.contains("\"faults\":[") } == 1)
    }

    @Test("A trace does not change the result of a run")
    func unchanged() throws {
        let home = try TemporaryFolder()
        let scan = [
            "options", "virtual:flatbed", "--json",
        ]
        let plain = try BuiltProgram.run(scan, in: home)
        let traced = try BuiltProgram.run(["backend", "trace", "virtual", "--"] + scan, in: home)
        #expect(plain.status == 0 && traced.status == 0)
        #expect(plain.output == traced.output)
        #expect(traced.errors.contains("→ virtual  hello #1"))
        #expect(traced.errors.contains("answer #1 (hello, "))
    }

    @Test("The exit code and the error are the command's own")
    func failing() throws {
        let home = try TemporaryFolder()
        let outcome = try BuiltProgram.run(
            ["backend", "trace", "virtual", "--", "options", "virtual:nothing"], in: home)
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("copystand: "))
        #expect(outcome.errors.contains("noSuchDevice"))
    }

    @Test("A password does not appear in a trace")
    func password() throws {
        let home = try TemporaryFolder()
        let picture = TutorialPage.root + "/Samples/06-receipt.jpg"
        try home.write("secret", "open-sesame\n")
        let outcome = try BuiltProgram.run(
            [
                "backend", "trace", "file", "--", "import", picture, "--profile", "none",
                "--password-file", home.path + "/secret", "-o", home.path + "/x.tiff",
            ], in: home)
        #expect(outcome.errors.contains("\"option\":\"password\""), "\(outcome.errors)")
        #expect(!outcome.errors.contains("open-sesame"))
    }

    @Test("Of a growing page's many messages, the first and last are shown")
    func folded() throws {
        let home = try TemporaryFolder()
        let outcome = try BuiltProgram.run(
            [
                "backend", "trace", Self.stripes, "--", "scan", "-d", "stripes:feeder",
                "--profile", "none", "--set", "pages=2", "-o", home.path + "/x.tiff",
            ], in: home)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.errors.split(separator: "\n")
        // A page of 300 rows is sent in more pieces than the trace shows.
        #expect(lines.count { $0.contains("  pixels  ") || $0.contains("  progress  ") } <= 4)
        #expect(lines.count { $0.hasSuffix(" more like this") } == 2)
        #expect(lines.count { $0.contains("  done  ") } == 2)
    }

    @Test("A backend that can't be started is reported before any request")
    func broken() throws {
        let home = try TemporaryFolder()
        for (manifest, words) in [
            ("{", "its manifest is not a JSON object"),
            (#"{"id":"x","name":"X","protocol":1,"program":"x"}"#, "/x does not exist: build it"),
        ] {
            try home.write("backend.json", manifest)
            let outcome = try BuiltProgram.run(
                ["backend", "trace", home.path, "--", "devices"], in: home)
            #expect(outcome.status == 4)
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
            #expect(outcome.output == "")
        }
    }

    @Test(
        "A device that can't be followed is reported",
        arguments: [
            (["virtual", "--", "profiles", "list"], 0, "did not use a backend 'virtual'"),
            (["nothing", "--", "devices"], 2, "no backend is called 'nothing'"),
            (["/tmp", "--", "devices"], 2, "is not a backend's folder"),
            (["virtual", "--", "dance"], 2, "no command 'dance'"),
            (["virtual", "--", "--help"], 2, "runs nothing"),
            (
                ["virtual", "--", "backend", "trace", "virtual", "--", "devices"], 2,
                "is already being traced"
            ),
        ])
    func refused(_ words: [String], _ status: Int32, _ text: String) throws {
        let home = try TemporaryFolder()
        let outcome = try BuiltProgram.run(["backend", "trace"] + words, in: home)
        #expect(outcome.status == status)
        #expect(outcome.errors.contains(text), "\(outcome.errors)")
    }
}
