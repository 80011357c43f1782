import Documents
import Foundation
import Imaging
import Recognition
import Testing

@testable import Readers

/// Compares Docs/protocol/reader.schema.json with real messages.
@Suite struct ReaderSchemaTests {
    private static let package: String = {
        let parts = #filePath.split(separator: "/")
        return "/" + parts.dropLast(4).joined(separator: "/")
    }()
    private static let schema = package + "/Docs/protocol/reader.schema.json"

    /// A reader whose messages pass through `reader_relay.py`, which writes to `log`.
    private static func relayed(_ program: String, log: String) -> HelperCommand {
        let relay = package + "/Tests/Core/RecognitionTests/Support/reader_relay.py"
        return HelperCommand.program(
            "#!/bin/sh\nexec /usr/bin/python3 -B '\(relay)' '\(schema)' '\(program)' '\(log)'\n")
    }

    @Test(
        "Every message between the host and a reader matches the schema",
        arguments: ["Python", "Tesseract"])
    func messages(reader: String) async throws {
        let log = NSTemporaryDirectory() + "reader-schema-\(UUID().uuidString)"
        defer { unlink(log) }
        let isPython = reader == "Python"
        let program =
            isPython
            ? Self.package + "/Examples/PythonReader/inkblots.py" : HelperCommand.real.program
        var command = Self.relayed(program, log: log)
        command.usesTessdata = !isPython
        let pool = RecognizerPool(workers: 1, command: command)
        let page = PrintedPage(width: 700, height: 260)
            .print(["Two words"], x: 60, y: 80).print(["Below"], x: 60, y: 180).raster()
        pool.prewarm(languages: ["eng"])
        let text = try await pool.recognize(page, languages: ["eng"])
        #expect(text.lines.count == 2)
        if !isPython { _ = try await pool.detectOrientation(page) }
        await pool.shutdown()
        let told = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(told.filter { $0.hasPrefix("violation") } == [])
        let kinds = Set(told.map(String.init))
        let expected = [
            "hello", "helloAnswer", "prepare", "prepareAnswer", "read", "line", "readAnswer",
        ]
        #expect(kinds.isSuperset(of: expected), "\(kinds)")
        if !isPython { #expect(kinds.isSuperset(of: ["orientation", "orientationAnswer"])) }
    }

    @Test("The document's examples match the schema, and a wrong message does not")
    func examples() throws {
        let script = """
            import json, re, sys
            import jsonschema
            schema = json.load(open(sys.argv[1]))
            jsonschema.Draft202012Validator.check_schema(schema)
            judge = jsonschema.Draft202012Validator(schema)
            text = open(sys.argv[2]).read()
            blocks = [json.loads(one) for one in re.findall(r"```json\\n(.*?)```", text, re.S)]
            messages = [one for one in blocks if "program" not in one]
            wrong = [one for one in messages if not judge.is_valid(one)]
            wrong += [one for one in [{"event": "line", "reading": 1, "words": [{"text": "x"}]},
                {"request": 1, "verb": "sing"}, {"answer": "x"}] if judge.is_valid(one)]
            print(len(messages), json.dumps(wrong))
            """
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [
            "-c", script, Self.schema, Self.package + "/Docs/developers/ReaderProtocol.md",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let said = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(said == "9 []\n", "\(said)")
    }
}
