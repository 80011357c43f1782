import FoundationEssentials
import Glibc
import Testing

@testable import CaptureKit

/// Reads every example of Docs/CaptureProtocol.md with the real decoder, so that the page stays true.
@Suite struct SpecificationTests {
    struct Example {
        let kind: String
        let text: String
    }

    private static let page: String = {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        let file = open(root + "/Docs/CaptureProtocol.md", O_RDONLY)
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

    /// Decodes an example as its kind says, and answers its fields as this code writes them.
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
        case .progress, .done: try body(Wire.Rows.self)
        case .skipped: try body(Wire.Skipped.self)
        case .deviceAdded: try body(Wire.DeviceAdded.self)
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

    @Test("every example is a message that the code understands and writes the same way")
    func examples() throws {
        let verbs = try verbs()
        for example in Self.examples() where example.kind != "manifest" {
            // Every field of the example must come back: one that does not is a field the code does not know.
            let written = try fields(decoded(example, verbs: verbs))
            for (name, value) in try fields(Data(example.text.utf8)) {
                let known = try #require(written[name], "\(name) in \(example.text)")
                #expect(isWithin(value, known), "\(name) in \(example.text)")
            }
        }
    }

    @Test("the page shows every verb and every event, and every block says what it is")
    func complete() throws {
        let examples = Self.examples()
        #expect(examples.allSatisfy { ["host", "backend", "manifest"].contains($0.kind) })
        #expect(Set(try verbs().values) == Set(Verb.allCases))
        let events = try examples.filter { $0.kind != "manifest" }.compactMap {
            try WireLine(Data($0.text.utf8)).header.event
        }
        #expect(Set(events) == Set(EventName.allCases.map(\.rawValue)))
    }

    @Test(
        "every error code stands on the page",
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

    private func fields(_ data: Data) throws -> [String: JSON] {
        guard case .object(let fields) = try JSONDecoder().decode(JSON.self, from: data) else {
            return [:]
        }
        return fields
    }

    /// True when everything in `part` is in `whole`; the code may write neutral values that the page leaves out.
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

/// Any JSON value.
enum JSON: Decodable, Equatable {
    case object([String: JSON])
    case array([JSON])
    case text(String)
    case number(Double)
    case bool(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode([String: JSON].self) {
            self = .object(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else {
            self = .null
        }
    }
}
