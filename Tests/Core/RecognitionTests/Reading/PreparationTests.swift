import CLeptonica
import Documents
import Testing

@testable import TextEngine

@Suite struct PreparationTests {
    /// A picture, and its expected scale.
    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        var resolution: Double?
        var letters: Int?
        var vertical: Double
        var horizontal: Double
        var testDescription: String { name }
    }

    @Test(
        "A page is scaled by its resolution, or by its letters if the resolution is not plausible",
        arguments: [
            Row(name: "a scan", resolution: 300, letters: 20, vertical: 0.8, horizontal: 0.72),
            Row(name: "a fine scan", resolution: 600, letters: 40, vertical: 0.4, horizontal: 0.36),
            Row(name: "small print", resolution: 300, letters: 16, vertical: 1, horizontal: 0.9),
            Row(name: "smaller print", resolution: 300, letters: 13, vertical: 1, horizontal: 0.9),
            Row(
                name: "a coarse scan", resolution: 150, letters: 10, vertical: 2.1, horizontal: 2.1),
            Row(name: "noise", resolution: 300, letters: 5, vertical: 0.75, horizontal: 0.675),
            Row(
                name: "an empty scan", resolution: 300, letters: nil, vertical: 0.75,
                horizontal: 0.675),
            Row(name: "empty, coarse", resolution: 150, letters: nil, vertical: 1, horizontal: 1),
            Row(
                name: "a camera's 72 dpi", resolution: 72, letters: 42, vertical: 0.5,
                horizontal: 0.5),
            Row(
                name: "small letters", resolution: nil, letters: 10, vertical: 2.1, horizontal: 2.1),
            Row(name: "tiny letters", resolution: nil, letters: 5, vertical: 3, horizontal: 3),
            Row(name: "good letters", resolution: nil, letters: 22, vertical: 1, horizontal: 1),
            Row(
                name: "huge letters", resolution: nil, letters: 190, vertical: 0.5, horizontal: 0.5),
            Row(name: "no letters", resolution: nil, letters: nil, vertical: 1, horizontal: 1),
            Row(
                name: "mad resolution", resolution: 1e9, letters: 5, vertical: 0.1, horizontal: 0.09
            ),
        ])
    func scales(row: Row) {
        let scale = InputScale.best(
            width: 1000, height: 1400, resolution: row.resolution, letters: row.letters)
        #expect(abs(scale.vertical - row.vertical) < 1e-9)
        #expect(abs(scale.horizontal - row.horizontal) < 1e-9)
    }

    @Test("Noise that looks like small letters does not enlarge a large picture")
    func scaleIsBounded() {
        let scale = InputScale.best(width: 4000, height: 3000, resolution: nil, letters: 5)
        #expect(4000 * scale.horizontal * 3000 * scale.vertical <= 13_000_001)
    }

    private func rectangle(
        _ page: PreparedPage, left: Int32, top: Int32, right: Int32, bottom: Int32
    ) -> Documents.Box {
        let quad = page.quad(left: left, top: top, right: right, bottom: bottom).map { Int($0) }
        return Documents.Box(
            x: quad[0], y: quad[1], width: quad[4] - quad[0], height: quad[5] - quad[1])
    }

    @Test(
        "Boxes return to the pixels where they were drawn", arguments: [150.0, 300, 400, 600, nil])
    func boxesComeBack(resolution: Double?) throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<20 {
            let width = Int32.random(in: 40...900, using: &random)
            let height = Int32.random(in: 40...900, using: &random)
            let original = try #require(Picture(pixCreate(width, height, 8)))
            let page = PreparedPage(original, resolution: resolution)
            let scaledWidth = Int32(page.picture.width)
            let scaledHeight = Int32(page.picture.height)
            let whole = rectangle(page, left: 0, top: 0, right: scaledWidth, bottom: scaledHeight)
            #expect(whole.x == 0 && whole.y == 0)
            #expect(whole.width == Int(width) && whole.height == Int(height))
            let left = Int32.random(in: 0..<scaledWidth, using: &random)
            let right = Int32.random(in: left...scaledWidth, using: &random)
            let box = rectangle(page, left: left, top: 0, right: right, bottom: scaledHeight)
            let pixel = Double(width) / Double(scaledWidth)
            #expect(Double(box.x) <= Double(left) * pixel)
            #expect(Double(box.x) > Double(left) * pixel - 1)
            #expect(Double(box.x + box.width) >= Double(right) * pixel)
            #expect(Double(box.x + box.width) < Double(right) * pixel + 1)
            #expect(box.x + box.width <= Int(width))
            // Words that the engine reports beyond its picture are kept within the page.
            let beyond = rectangle(page, left: -9, top: -9, right: .max, bottom: .max)
            #expect(beyond == whole)
        }
    }

    @Test("The height of letters is the most frequent height of shapes except specks and rules")
    func measuresLetters() throws {
        let pix = try #require(Picture(pixCreate(800, 600, 1)))
        func draw(_ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32) {
            var box = boxCreate(x, y, width, height)
            pixSetInRect(pix.pix, box)
            boxDestroy(&box)
        }
        for index in 0..<30 { draw(Int32(20 + 24 * index), 100, 12, 19) }
        for index in 0..<10 { draw(Int32(20 + 24 * index), 200, 14, 28) }
        for index in 0..<100 { draw(Int32(4 + 7 * index), 300, 2, 3) }
        draw(0, 400, 800, 6)
        draw(10, 420, 300, 180)
        #expect(LetterShapes(of: pix).medianHeight == 19)
    }

    @Test("A picture with few shapes has no letter height")
    func measuresNothing() throws {
        let pix = try #require(Picture(pixCreate(800, 600, 8)))
        #expect(LetterShapes(of: pix).medianHeight == nil)
        let tiny = try #require(Picture(pixCreate(3, 3, 8)))
        #expect(LetterShapes(of: tiny).medianHeight == nil)
    }
}
