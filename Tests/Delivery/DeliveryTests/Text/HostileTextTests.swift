import Documents
import FoundationEssentials
import Imaging
import Testing

@testable import Delivery

/// A page with text that no recognizer should return.
private func hostilePage(_ generator: inout SeededGenerator) -> DeliveredPage {
    let numbers = [
        Int.min, Int.min + 1, -1_000_000, -40, -1, 0, 1, 7, 50, 300, 619, 620, 10_000, Int.max - 1,
        Int.max,
    ]
    let pieces = [
        "word", "", " ", "\u{0}", "\u{1B}[31m", "\u{202E}", "\u{FFFF}", "]]>", "-->", "<&\"'>",
        ")(\\", "\u{D7FF}",
        "𝔘", "e\u{301}", "שלום", "👩‍👩‍👧", "\u{FEFF}", "\u{AD}", "\u{2028}",
        String(repeating: "\u{301}", count: 90),
        String(repeating: "long", count: 300),
    ]
    func number() -> Int { numbers.randomElement(using: &generator) ?? 0 }
    func box() -> Box { Box(x: number(), y: number(), width: number(), height: number()) }
    func some<Value>(_ make: () -> Value) -> [Value] {
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in make() }
    }
    let confidences = [0.5, -1, 2, .nan, .infinity]
    func lines() -> [TextLine] {
        some {
            TextLine(
                words: some {
                    Word(
                        text: some { pieces.randomElement(using: &generator) ?? "" }.joined(),
                        box: box(), confidence: confidences.randomElement(using: &generator) ?? 0)
                }, box: box(),
                baseline: Bool.random(using: &generator)
                    ? Baseline(x1: number(), y1: number(), x2: number(), y2: number()) : nil)
        }
    }
    let blocks = some {
        TextBlock(paragraphs: some { Paragraph(lines: lines(), box: box()) }, box: box())
    }
    let picture = Raster(
        width: 1 + Int.random(in: 0...700, using: &generator),
        height: 1 + Int.random(in: 0...700, using: &generator), format: .bilevel)
    var page = samplePage(
        picture, text: PageText(blocks: blocks, languages: ["script/<Latin>", "eng"]),
        resolution: [0, -5, 1, 75, 1e9, .nan, .infinity].randomElement(using: &generator) ?? 75)
    page.page.width = number()
    page.page.height = number()
    page.page.provenance.label = pieces.randomElement(using: &generator)
    return page
}

@Suite struct HostileTextTests {
    @Test("With any text, every format is valid", arguments: 0..<6)
    func hostile(seed: Int) throws {
        let folder = try TemporaryFolder()
        var generator = SeededGenerator(state: UInt64(seed))
        let pages = (0..<40).map { _ in hostilePage(&generator) }
        let info = DocumentInfo(
            title: "\u{0}<t>]]>\u{FFFE}\u{202E}", created: .infinity, language: "<x>")
        for ending in [".pdf", ".hocr", ".alto.xml", ".json", ".txt", ".tiff"] {
            try deliver(pages, to: folder.path + "/a" + ending, info: info)
        }
        try expectSound(folder.path + "/a.pdf")
        for ending in [".hocr", ".alto.xml"] {
            let answer = try run("xmllint", "--nonet", "--noout", folder.path + "/a" + ending)
            #expect(answer.status == 0 && answer.errors == "", "\(answer.errors)")
        }
        #expect(try run("/usr/bin/python3", "-m", "json.tool", folder.path + "/a.json").status == 0)
        let plain = try text(folder.path + "/a.txt")
        #expect(plain.count { $0 == "\u{0C}" } == 39)
        #expect(plain.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\u{0C}" || isReadable($0) })
    }

    @Test("Boxes are moved onto the page")
    func clamped() {
        var generator = SeededGenerator(state: 99)
        for _ in 0..<2000 {
            let page = hostilePage(&generator)
            let text = PlacedText(page)
            for line in text.lines {
                for box in line.words.map(\.box) + [line.box] {
                    #expect(box.x >= 0 && box.y >= 0 && box.width >= 1 && box.height >= 1)
                    #expect(box.x + box.width <= text.width && box.y + box.height <= text.height)
                }
            }
        }
    }
}
