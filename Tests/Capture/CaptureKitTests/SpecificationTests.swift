import FoundationEssentials
import Glibc
import Testing

@testable import CaptureKit

/// Decodes every example of Docs/developers/CaptureProtocol.md, so that the page stays correct.
@Suite struct SpecificationTests {
    struct Example {
        let kind: String
        let text: String
    }

    /// The examples of messages, without the manifest and the schemas.
    private static let messages = examples().filter { $0.kind == "host" || $0.kind == "backend" }

    /// The schemas by their names.
    private static func schemas() throws -> [String: JSON] {
        let blocks = examples().filter { $0.kind.hasPrefix("schema ") }
        return Dictionary(
            try blocks.map {
                (
                    String($0.kind.dropFirst("schema ".count)),
                    try JSONDecoder().decode(JSON.self, from: Data($0.text.utf8))
                )
            },
            uniquingKeysWith: { one, _ in one })
    }

    private static let page: String = {
        let root = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
        let file = open(root + "/Docs/developers/CaptureProtocol.md", O_RDONLY)
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(file, &bytes, bytes.count)
        close(file)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }()

    /// The fenced blocks that are marked `json KIND`.
    private static func examples() -> [Example] {
        var examples: [Example] = []
        var kind: String?
        var lines: [Substring] = []
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.drop { $0 == " " }
            if let open = kind, text == "```" {
                examples.append(Example(kind: open, text: lines.joined(separator: "\n")))
                kind = nil
            } else if kind != nil {
                lines.append(text)
            } else if text.hasPrefix("```json") {
                kind = String(text.dropFirst("```json".count).drop { $0 == " " })
                lines = []
            }
        }
        return examples
    }

    /// Decodes an example by its kind, and returns the fields that are encoded again.
    private func decoded(_ example: Example, verbs: [Int: Verb]) throws -> Data {
        let line = try WireLine(Data(example.text.utf8))
        func body<Body: Codable>(_ type: Body.Type) throws -> Data {
            try WireWriter.line(WireMessage(line.header, try line.decode(type)))
        }
        if example.kind == "host", let verb = line.header.verb.flatMap(Verb.init) {
            return switch verb {
            case .hello: try body(Wire.Hello.self)
            case .devices: try body(DeviceQuery.self)
            case .open: try body(Wire.Open.self)
            case .options, .close: try body(Wire.Handle.self)
            case .set: try body(Wire.Set.self)
            case .capture: try body(Wire.Capture.self)
            case .cancel: try body(Wire.Cancel.self)
            }
        }
        if let answer = line.header.answer {
            try #require(example.kind == "backend")
            if line.header.error != nil { return try body(Wire.Empty.self) }
            return switch try #require(verbs[answer]) {
            case .hello: try body(Wire.HelloAnswer.self)
            case .devices: try body(Wire.Devices.self)
            case .open: try body(Wire.OpenAnswer.self)
            case .options: try body(Wire.Options.self)
            case .set: try body(OptionOutcome.self)
            case .capture, .cancel, .close: try body(Wire.Empty.self)
            }
        }
        let event = try #require(line.header.event.flatMap(EventName.init))
        try #require((event == .buffer || event == .refused) == (example.kind == "host"))
        return switch event {
        case .frame: try body(Wire.Frame.self)
        case .pixels: try body(Wire.FrameReference.self)
        case .source: try body(Wire.Source.self)
        case .text: try body(Wire.Text.self)
        case .progress, .done: try body(Wire.Rows.self)
        case .skipped: try body(Wire.Skipped.self)
        case .reading: try body(Wire.Reading.self)
        case .deviceAdded, .deviceChanged: try body(Wire.DeviceAdded.self)
        case .optionChanged: try body(Wire.OptionChanged.self)
        case .deviceRemoved: try body(Wire.DeviceRemoved.self)
        case .log: try body(Wire.Log.self)
        case .buffer: try body(Wire.Buffer.self)
        case .refused: try body(Wire.FrameReference.self)
        }
    }

    /// The verbs of the example requests, by their numbers.
    private func verbs() throws -> [Int: Verb] {
        var verbs: [Int: Verb] = [:]
        for example in Self.examples() where example.kind == "host" {
            let header = try WireLine(Data(example.text.utf8)).header
            if let request = header.request { verbs[request] = header.verb.flatMap(Verb.init) }
        }
        return verbs
    }

    @Test("The code decodes every example message and encodes it to the same JSON")
    func examples() throws {
        let verbs = try verbs()
        for example in Self.messages {
            // Every field of the example must be encoded again; otherwise the code does not know
            // that field.
            let written = try fields(decoded(example, verbs: verbs))
            for (name, value) in try fields(Data(example.text.utf8)) {
                let known = try #require(written[name], "\(name) in \(example.text)")
                #expect(isWithin(value, known), "\(name) in \(example.text)")
            }
        }
    }

    @Test("The page shows every verb and event, and every block names its message")
    func complete() throws {
        let examples = Self.examples()
        #expect(
            examples.allSatisfy {
                ["host", "backend", "manifest"].contains($0.kind) || $0.kind.hasPrefix("schema ")
            })
        #expect(Set(try verbs().values) == Set(Verb.allCases))
        let events = try Self.messages.compactMap {
            try WireLine(Data($0.text.utf8)).header.event
        }
        #expect(Set(events) == Set(EventName.allCases.map(\.rawValue)))
    }

    @Test(
        "Every error code is on the page",
        arguments: [
            CaptureError.Code.noSuchDevice, .busy, .permissionDenied, .offline, .feederEmpty,
            .jammed, .coverOpen,
            .doubleFeed, .noSuchOption, .invalidValue, .unsupported, .damagedData, .tooLarge,
            .passwordNeeded,
            .cancelled, .inputOutput, .internalFault,
        ])
    func codes(_ code: CaptureError.Code) {
        #expect(Self.page.contains("`\(code.rawValue)`"))
    }

    /// The name of the schema that a message on the page follows.
    private func schemaName(_ example: Example, verbs: [Int: Verb]) throws -> String {
        let header = try WireLine(Data(example.text.utf8)).header
        if let verb = header.verb { return verb }
        guard let answer = header.answer else { return try #require(header.event) }
        return header.error != nil ? "failure" : try #require(verbs[answer]).rawValue + " answer"
    }

    @Test("Every example is valid by its schema, and every schema has an example")
    func schemasHold() throws {
        let schemas = try Self.schemas()
        let check = SchemaCheck(schemas)
        let verbs = try verbs()
        var used: Set<String> = []
        for example in Self.messages {
            let name = try schemaName(example, verbs: verbs)
            used.insert(name)
            let value = try JSONDecoder().decode(JSON.self, from: Data(example.text.utf8))
            let schema = try #require(schemas[name], "no schema is called \(name)")
            #expect(check.fault(value, schema) == nil, "\(example.text)")
        }
        for manifest in Self.examples() where manifest.kind == "manifest" {
            let value = try JSONDecoder().decode(JSON.self, from: Data(manifest.text.utf8))
            #expect(check.fault(value, try #require(schemas["manifest"])) == nil)
        }
        used.formUnion(["manifest"])
        used.formUnion(schemas.values.flatMap(check.references))
        #expect(used == Set(schemas.keys))
    }

    @Test("Schema and decoder agree on optional fields and on wrong types")
    func schemasAgree() throws {
        let schemas = try Self.schemas()
        let check = SchemaCheck(schemas)
        let verbs = try verbs()
        var tried = 0
        for example in Self.messages {
            guard case .object(let fields) = try self.json(example.text),
                let schema = schemas[try schemaName(example, verbs: verbs)]
            else { continue }
            // Without the fields that identify a message, the text would be another message.
            let kinds = ["request", "answer", "event", "verb", "error", "bytes", "fd"]
            for name in fields.keys where !kinds.contains(name) {
                for wrong in [nil, JSON.object(["wrong": .null])] {
                    var fields = fields
                    fields[name] = wrong
                    let text = JSON.object(fields).text
                    let isRead =
                        (try? decoded(Example(kind: example.kind, text: text), verbs: verbs)) != nil
                    let isValid = check.fault(.object(fields), schema) == nil
                    #expect(isRead == isValid, "\(text)")
                    tried += 1
                }
            }
        }
        #expect(tried > 100)
    }

    @Test("A schema's default is the meaning of an absent field")
    func defaults() throws {
        let schemas = try Self.schemas()
        let check = SchemaCheck(schemas)
        let verbs = try verbs()
        var known: Set<String> = []
        for example in Self.messages {
            guard let schema = schemas[try schemaName(example, verbs: verbs)] else { continue }
            for (field, absent, filled) in check.defaulted(try json(example.text), schema) {
                #expect(check.fault(filled, schema) == nil, "\(filled.text)")
                func written(_ message: JSON) throws -> JSON {
                    let example = Example(kind: example.kind, text: message.text)
                    return .object(try fields(decoded(example, verbs: verbs)))
                }
                let (short, long) = (try written(absent), try written(filled))
                // Some decoders keep an absent field as nil, and other code applies the default.
                if short.text.contains("\"\(field)\"") {
                    #expect(short == long, "\(field) in \(example.text)")
                    known.insert(field)
                }
            }
        }
        #expect(
            known.isSuperset(of: ["quick", "state", "isActive", "isReadOnly", "reloadOptions"]),
            "\(known)")
    }

    @Test("A schema refuses invalid values")
    func checkCanFail() throws {
        let check = SchemaCheck(try Self.schemas())
        let frame = try #require(try Self.schemas()["frame"])
        let start = #"{"event":"frame","capture":6,"frame":1,"format":"rgb8","#
        #expect(check.fault(try json(start + #""width":1}"#), frame) == nil)
        for bad in [
            #""width":0}"#, #""width":65536}"#, #""width":1.5}"#, #""width":"1"}"#, #""height":1}"#,
            #""width":1,"resolution":{"x":1}}"#, #""width":1,"label":3}"#,
        ] {
            #expect(check.fault(try json(start + bad), frame) != nil, "\(bad)")
        }
    }

    @Test("The headings that messages and pages refer to exist")
    func anchors() {
        let headings = Self.page.split(separator: "\n").filter { $0.hasPrefix("#") }
            .map { $0.drop { $0 == "#" }.dropFirst() }
        for name in [
            "Manifest", "Life cycle", "Messages", "Verbs", "hello", "devices", "open", "options",
            "set", "capture", "cancel", "close", "Frames", "Buffers", "Live frames",
            "Room before a page", "Other events", "Deadlines", "Error codes", "Versions",
        ] {
            #expect(headings.contains { $0 == name }, "\(name)")
        }
    }

    private func json(_ text: String) throws -> JSON {
        try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
    }

    private func fields(_ data: Data) throws -> [String: JSON] {
        guard case .object(let fields) = try JSONDecoder().decode(JSON.self, from: data) else {
            return [:]
        }
        return fields
    }

    /// True if everything in `part` is in `whole`; the code may write neutral values that the page
    /// omits.
    private func isWithin(_ part: JSON, _ whole: JSON) -> Bool {
        switch (part, whole) {
        case (.object(let part), .object(let whole)):
            part.allSatisfy { name, value in whole[name].map { isWithin(value, $0) } ?? false }
        case (.array(let part), .array(let whole)):
            part.count == whole.count && zip(part, whole).allSatisfy { isWithin($0, $1) }
        default: part == whole
        }
    }
}
