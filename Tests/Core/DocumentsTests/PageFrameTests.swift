import Documents
import FoundationEssentials
import Testing

@Suite struct PageFrameTests {
    @Test(
        "A box maps to the shown page and back, however the page is turned and cut",
        arguments: PageTurn.allCases)
    func thereAndBack(turn: PageTurn) {
        let frame = PageFrame(
            width: 100, height: 60, crop: Box(x: 10, y: 5, width: 50, height: 40), turn: turn)
        let box = Box(x: 12, y: 9, width: 7, height: 3)
        #expect(frame.toCaptured(frame.toShown(box)) == box)
        let all = frame.toShown(frame.shown)
        #expect(all == Box(x: 0, y: 0, width: frame.size.width, height: frame.size.height))
    }

    @Test(
        "A frame whose part is less than nothing is not read",
        arguments: [(-5, 5), (5, -5), (-5, -5), (-1_000_000_000, 1)])
    func negativePart(width: Int, height: Int) {
        let json =
            #"{"width":9,"height":9,"turn":0,"crop":{"x":1,"y":1,"width":\#(width),"height":\#(height)}}"#
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(PageFrame.self, from: Data(json.utf8))
        }
    }

    @Test("Corners map as on a manually turned page")
    func corners() {
        let corner = Box(x: 0, y: 0, width: 1, height: 2)
        func place(_ turn: PageTurn) -> Box {
            PageFrame(width: 100, height: 60, turn: turn).toShown(corner)
        }
        #expect(place(.clockwise90) == Box(x: 58, y: 0, width: 2, height: 1))
        #expect(place(.half) == Box(x: 99, y: 58, width: 1, height: 2))
        #expect(place(.counterclockwise90) == Box(x: 0, y: 99, width: 2, height: 1))
    }

    @Test("A line's direction turns with its page, even if only its words show it")
    func direction() throws {
        let box = Box(x: 10, y: 20, width: 30, height: 10)
        for baseline in [Baseline(x1: 10, y1: 30, x2: 40, y2: 30), nil] {
            let line = TextLine(
                words: [Word(text: "a", box: box, confidence: 1)], box: box, baseline: baseline)
            let text = PageText(
                blocks: [TextBlock(paragraphs: [Paragraph(lines: [line], box: box)], box: box)],
                languages: [])
            func shown(_ turn: PageTurn) throws -> Baseline? {
                try #require(
                    text.shown(in: PageFrame(width: 100, height: 60, turn: turn)).lines.first
                ).baseline
            }
            #expect(try shown(.clockwise90) == Baseline(x1: 30, y1: 10, x2: 30, y2: 40))
            #expect(try shown(.half) == Baseline(x1: 90, y1: 30, x2: 60, y2: 30))
            #expect(try shown(.counterclockwise90) == Baseline(x1: 30, y1: 90, x2: 30, y2: 60))
            #expect(try shown(.none) == baseline)
        }
    }

    @Test("Turns add up, and each has an inverse")
    func turns() {
        for turn in PageTurn.allCases {
            #expect(turn.followed(by: turn.inverse) == .none)
            #expect((0..<4).reduce(PageTurn.none) { sum, _ in sum.followed(by: turn) } == .none)
        }
    }

    @Test("Words whose middle is cut off are left out, and so are lines without words")
    func cutText() {
        func line(_ y: Int) -> TextLine {
            TextLine(
                words: [
                    Word(text: "in", box: Box(x: 10, y: y, width: 10, height: 10), confidence: 1),
                    Word(text: "out", box: Box(x: 80, y: y, width: 15, height: 10), confidence: 1),
                ], box: Box(x: 10, y: y, width: 85, height: 10),
                baseline: Baseline(x1: 10, y1: y + 10, x2: 95, y2: y + 10))
        }
        let all = Box(x: 0, y: 0, width: 100, height: 100)
        let text = PageText(
            blocks: [
                TextBlock(paragraphs: [Paragraph(lines: [line(10), line(90)], box: all)], box: all)
            ], languages: ["eng"])
        let shown = text.shown(
            in: PageFrame(width: 100, height: 100, crop: Box(x: 5, y: 5, width: 60, height: 60)))
        #expect(shown.words.map(\.text) == ["in"])
        #expect(shown.words[0].box == Box(x: 5, y: 5, width: 10, height: 10))
        #expect(shown.lines[0].baseline == Baseline(x1: 5, y1: 15, x2: 90, y2: 15))
        let hostile = TextLine(
            words: [
                Word(
                    text: "x", box: Box(x: .max, y: .min, width: .max, height: .min), confidence: 0)
            ], box: all)
        let odd = PageText(
            blocks: [TextBlock(paragraphs: [Paragraph(lines: [hostile], box: all)], box: all)],
            languages: [])
        #expect(
            odd.shown(in: PageFrame(width: 100, height: 100, turn: .clockwise90)).words.isEmpty)
    }
}
