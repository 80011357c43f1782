import Documents
import Imaging
import Testing

@testable import Readers

/// Prose that fills a page from a height on.
private let prose = (0..<8).map { "Several plain words of print stand in this line \($0 + 10)" }

/// A page's text that consists of one line of words.
func pageText(_ words: [Word]) -> PageText {
    guard let box = Box(around: words.map(\.box)) else {
        return PageText(blocks: [], languages: ["eng"])
    }
    let line = TextLine(words: words, box: box)
    return PageText(
        blocks: [TextBlock(paragraphs: [Paragraph(lines: [line], box: box)], box: box)],
        languages: ["eng"])
}

@Suite("Regions that were not read well") struct RegionFinderTests {
    /// The prose of `page`, as if it were read.
    private let readProse = pageText([
        Word(text: "prose", box: Box(x: 60, y: 340, width: 1100, height: 520), confidence: 0.95)
    ])

    private func page() -> PrintedPage {
        PrintedPage(width: 1240, height: 900).print(prose, x: 80, y: 400)
    }

    private func regions(_ page: PrintedPage, _ text: PageText) -> [Region] {
        RegionFinder(page: page.raster(resolution: 300), text: text).regions()
    }

    @Test("A page whose words were read has no regions")
    func none() {
        #expect(regions(page(), readProse).isEmpty)
    }

    @Test("Light letters on dark ground are a region, on black and on gray", arguments: [0, 110])
    func light(ground: UInt8) throws {
        let page = page().fill(x: 60, y: 80, width: 1000, height: 120, with: ground)
            .print(["Annual Treasurer Statement"], x: 100, y: 150, in: 255)
        let found = regions(page, readProse)
        try #require(found.count == 1)
        let region = found[0]
        let shades = try #require(region.shades)
        #expect(abs(Int(shades.ground) - Int(ground)) <= 12 && shades.letters > 230)
        #expect(!region.isTurned && region.letters.count >= 22)
        #expect(Box(x: 60, y: 80, width: 1000, height: 120).containsMiddle(of: region.box))
    }

    @Test("A banner is read again only if its words are doubtful, or break off")
    func readBanner() {
        let page = page().fill(x: 60, y: 80, width: 1000, height: 120, with: 0)
            .print(["Annual Treasurer Statement"], x: 100, y: 150, in: 255)
        func count(_ width: Int, _ confidence: Double) -> Int {
            let word = Word(
                text: "Annual", box: Box(x: 60, y: 100, width: width, height: 80),
                confidence: confidence)
            return regions(page, pageText(readProse.words + [word])).count
        }
        #expect(count(1000, 0.95) == 0)
        #expect(count(1000, 0.6) == 1)
        #expect(count(300, 0.95) == 1)
    }

    @Test("A dark picture without letters is no region")
    func picture() {
        var page = page()
        for x in stride(from: 0, to: 1240, by: 20) {
            for y in stride(from: 0, to: 320, by: 20) {
                let level = UInt8((x * 31 + y * 17) % 150)
                page = page.fill(x: x, y: y, width: 20, height: 20, with: level)
            }
        }
        #expect(regions(page, readProse).isEmpty)
    }

    @Test("Letters that stand one above another are a turned region")
    func turned() throws {
        let caption = PrintedPage(width: 500, height: 60).print(
            ["Turned in the margin"], x: 10, y: 40)
        let page = page().put(caption, x: 1170, y: 300, quarterTurns: 1)
        let found = regions(page, readProse)
        try #require(found.count == 1)
        #expect(found[0].isTurned && found[0].shades == nil)
        // Upright words among the letters: they belong to a table's rules.
        let box = found[0].box
        let upright = [20, 60, 100].map {
            Word(
                text: "x", box: Box(x: box.x, y: box.y + $0, width: 4, height: 4), confidence: 0.9)
        }
        #expect(regions(page, pageText(readProse.words + upright)).isEmpty)
        #expect(regions(page, pageText(readProse.words + upright.prefix(2))).count == 1)
    }

    @Test("The shadow at a page's edge is no text", arguments: [(3, true), (40, false)])
    func shadow(left: Int, isEdge: Bool) {
        let shadow = (0..<14).reduce(page()) {
            $0.fill(x: left, y: 60 + 18 * $1, width: 8, height: 12, with: 0)
        }
        #expect(regions(shadow, readProse).isEmpty == isEdge)
    }

    @Test(
        "A doubtful word of a line counts as read if the rest of the line is sure",
        arguments: [(0.95, true), (0.6, false)])
    func doubtfulWord(confidence: Double, isRead: Bool) {
        let words = [(60, confidence), (610, 0.3)].map { x, confidence in
            Word(
                text: "prose", box: Box(x: x, y: 340, width: 550, height: 520),
                confidence: confidence)
        }
        #expect(regions(page(), pageText(words)).isEmpty == isRead)
    }

    @Test("Words with little confidence don't cover their letters")
    func doubtfulWords() {
        var text = readProse
        text = pageText([
            Word(
                text: "prose", box: Box(x: 60, y: 340, width: 1100, height: 520), confidence: 0.3)
        ])
        #expect(!regions(page(), text).isEmpty)
    }
}
