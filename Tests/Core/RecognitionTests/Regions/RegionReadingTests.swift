import Documents
import Imaging
import Recognition
import Testing

@testable import Readers

@Suite("Pages with regions that are read again") struct RegionReadingTests {
    private func read(_ page: Raster) async throws -> PageText {
        let readers = Readers(workers: 1, engine: .real, environment: [:])
        let text = try await readers.reader("tesseract").recognize(page, languages: ["eng"])
        await readers.shutdown()
        return text
    }

    @Test("A caption in the margin is read whichever way it is turned", arguments: [1, 3])
    func turned(turns: Int) async throws {
        let caption = PrintedPage(width: 640, height: 60)
            .print(["Printed along the margin"], x: 20, y: 40)
        let page = PrintedPage(width: 1240, height: 900)
            .print(
                (0..<10).map { "Several plain words of print stand here \($0 + 10)" }, x: 160,
                y: 120
            )
            .put(caption, x: 40, y: 120, quarterTurns: turns).raster()
        let text = try await read(page)
        let line = try #require(
            text.lines.first {
                $0.words.map(\.text) == ["Printed", "along", "the", "margin"]
            })
        let baseline = try #require(line.baseline)
        // A line that was turned clockwise runs down the page.
        #expect((baseline.y2 > baseline.y1) == (turns == 1))
        #expect(abs(baseline.x1 - baseline.x2) < 8)
        for word in line.words {
            let ink = try #require(page.inkBox(within: word.box.grown(by: 6, in: page)))
            #expect(abs(word.box.y - ink.y) <= 6, "\(word.text): \(word.box) on \(ink)")
            #expect(abs(word.box.height - ink.height) <= 9, "\(word.text): \(word.box) on \(ink)")
            #expect(abs(word.box.x - ink.x) <= 6, "\(word.text): \(word.box) on \(ink)")
            #expect(abs(word.box.width - ink.width) <= 9, "\(word.text): \(word.box) on \(ink)")
        }
        // The first reading has a line that runs up the page, so it is not read again.
        let ways = text.evidence?.regions?.map(\.way) ?? []
        #expect(ways == (turns == 1 ? ["turned left by tesseract"] : []))
    }

    @Test("Light letters on dark ground are read from a view of them alone")
    func light() async throws {
        let page = PrintedPage(width: 1240, height: 300)
            .fill(x: 60, y: 80, width: 1000, height: 120, with: 60)
            .print(["Annual Treasurer Statement"], x: 100, y: 150, in: 255).raster()
        let nothing = PageText(blocks: [], languages: ["eng"])
        let engine = RecognizerPool(workers: 1, command: .real)
        let text = try await RegionReader(engine: engine).improved(
            nothing, of: page, languages: ["eng"])
        #expect(text.words.map(\.text) == ["Annual", "Treasurer", "Statement"])
        for word in text.words {
            #expect(abs(word.box.middle - 142) < 12, "\(word)")
        }
        await engine.shutdown()
    }
}
