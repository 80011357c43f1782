import Foundation
import Testing

/// The sample pages through the profiles that look for something in their text.
@Suite struct ReadingTests {
    let program: Program

    init() throws { program = try Program() }

    private static let samples = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Samples").path

    private struct Answer: Decodable {
        struct Found: Decodable {
            var kind: String
            var format: String?
            var text: String
            var confidence: Double
        }
        struct Page: Decodable { var found: [Found] }
        struct Entry: Decodable {
            var number: String
            var title: String
            var pages: [Int]
            var text: String
        }
        var pages: [Page]
        var entries: [Entry]?
    }

    private func answer(_ arguments: [String]) throws -> Answer {
        let ending = try program.run(["import"] + arguments + ["--json", "--quiet"])
        #expect(ending.status == 0, "\(ending.messages)")
        return try JSONDecoder().decode(Answer.self, from: Data(ending.output.utf8))
    }

    @Test("The sixteen entries of the register are found over both sheets, and are in the archive")
    func register() throws {
        let entries = try #require(
            try answer([Self.samples + "/04-register.tif", "--profile", "entries"]).entries)
        #expect(entries.map(\.number) == (1...16).map(String.init))
        // As the sample's own text has them.
        let text = try String(
            contentsOfFile: Self.samples + "/text/04-register.txt", encoding: .utf8)
        let lines = text.split { $0 == "\n" || $0 == "\u{0C}" }.map(String.init)
        let titles = (1...16).compactMap { number in
            lines.firstIndex(of: "\(number).").map { lines[$0 + 1] }
        }
        #expect(entries.map(\.title) == titles)
        // The shelf mark at an entry's end has its number.
        for entry in entries {
            #expect(entry.text.hasSuffix((entry.number.count == 1 ? "-0" : "-") + entry.number))
        }
        #expect(entries.map(\.pages) == (1...16).map { [$0 <= 8 ? 1 : 2] })
        let shown = try program.run(["show", "1"])
        #expect(shown.output.contains("Entry 16") && shown.output.contains("title Certificate"))
    }

    @Test("The number on a label is found, and its check digit is right")
    func label() throws {
        let found = try answer([
            Self.samples + "/labels/imei.jpg", "--profile", "serial-label", "--step",
            "label.device=accessory",
        ]).pages[0].found
        #expect(found.first?.text == "353506006829476")
        #expect(found.first?.kind == "serial" && found.first?.format == "imei")
        #expect(found.first?.confidence ?? 0 >= 0.8)
    }

    @Test("A receipt for a loan names who gave it and when, and no sum")
    func receipt() throws {
        let found = try answer([Self.samples + "/06-receipt.jpg", "--profile", "receipt"]).pages[0]
            .found
        #expect(found.map(\.kind) == ["merchant", "date"])
        #expect(found.last?.text == "2025-03-20")
    }
}
