import Foundation
import Testing

/// Reads the sample pages with the profiles that extract something from text.
@Suite struct ReadingTests {
    let program: Program

    init() throws { program = try Program() }

    private static let samples = Samples.path

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
        // The expected entries come from the sample's own text.
        let text = try String(
            contentsOfFile: Self.samples + "/text/04-register.txt", encoding: .utf8)
        let lines = text.split { $0 == "\n" || $0 == "\u{0C}" }.map(String.init)
        let titles = (1...16).compactMap { number in
            lines.firstIndex(of: "\(number).").map { lines[$0 + 1] }
        }
        #expect(entries.map(\.title) == titles)
        // The shelf mark at an entry's end contains the entry's number.
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

    @Test("The three photographs on the glass become three straight pictures without the lid")
    func photographs() throws {
        let ending = try program.run([
            "import", Self.samples + "/photos/glass.jpg", "--profile", "photo", "--json", "--quiet",
            "-o", "album.png",
        ])
        #expect(ending.status == 0, "\(ending.messages)")
        struct Album: Decodable {
            struct Page: Decodable {
                var width: Int
                var height: Int
            }
            var pages: [Page]
        }
        let pages = try JSONDecoder().decode(Album.self, from: Data(ending.output.utf8)).pages
        #expect(pages.count == 3)
        // Samples/drawing has these sizes: 150 × 100, 90 × 120 and 95 × 130 mm at 100 dpi, within 2
        // mm.
        for (page, (width, height)) in zip(pages, [(591, 394), (354, 472), (374, 512)]) {
            #expect((page.width - width).magnitude <= 8 && (page.height - height).magnitude <= 8)
        }
        #expect(program.home.visibleNames.count == 3)
    }

    @Test("The three cards become an entry each, with name and value")
    func cards() throws {
        let found = try answer([Self.samples + "/cards/three.jpg", "--profile", "card"]).pages
            .map(\.found)
        let names = found.map { $0.first { $0.kind == "name" }?.text }
        #expect(names == ["Harbour Pilot", "Keeper of the Light", "The Old Ropewalk"])
        let values = found.map { $0.first { $0.kind == "value" }?.text }
        #expect(values == ["4.50", "12.00", nil])
    }

    @Test("The open book becomes two pages, left before right, and its curled lines are read")
    func book() throws {
        let ending = try program.run([
            "import", Self.samples + "/books/spread.jpg", "--profile", "book", "--quiet", "-o",
            "book.txt", "-o", "book.pdf",
        ])
        #expect(ending.status == 0, "\(ending.messages)")
        #expect(try pageCount(program.home.path + "/book.pdf") == 2)
        func pages(_ path: String) throws -> [Set<String>] {
            try String(contentsOfFile: path, encoding: .utf8).split(separator: "\u{0C}").map {
                Set($0.split { !$0.isLetter && !$0.isNumber }.map(String.init))
            }
        }
        let read = try pages(program.home.path + "/book.txt")
        let wanted = try pages(Self.samples + "/text/spread.txt")
        #expect(read.count == 2)
        for (read, wanted) in zip(read, wanted) {
            #expect(Double(wanted.intersection(read).count) >= 0.95 * Double(wanted.count))
        }
    }

    @Test("The till's receipt gives its merchant, date and total, each with its confidence")
    func till() throws {
        let found = try answer([Self.samples + "/receipts/till.jpg", "--profile", "receipt"]).pages[
            0
        ]
        .found
        #expect(found.map(\.kind) == ["merchant", "date", "total", "currency", "tax"])
        #expect(
            found.map(\.text) == ["ALDERMOUTH CHANDLERY", "2025-03-21", "42.00", "EUR", "7.00"])
        #expect(found[2].format == "EUR")
        #expect(found.allSatisfy { (0.05...1).contains($0.confidence) })
    }

    @Test("A receipt for a loan names its giver and date, and no total")
    func receipt() throws {
        let found = try answer([Self.samples + "/06-receipt.jpg", "--profile", "receipt"]).pages[0]
            .found
        #expect(found.map(\.kind) == ["merchant", "date"])
        #expect(found.last?.text == "2025-03-20")
    }
}
