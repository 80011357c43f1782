import Testing

@testable import Detection
@testable import Imaging

@Suite struct PageMemoryTests {
    /// A printed page with other contents in some of its blocks.
    private func signature(otherBlocks: Set<Int>) -> PageSignature {
        let (side, size) = (PageSignature.side, PageSignature.block)
        var (print, other) = (SeededGenerator(seed: 3), SeededGenerator(seed: 4))
        let detail = (0..<side * side).map { cell -> Float in
            let levels = [print, other].indices.map { index -> Float in
                let dice = index == 0 ? print.next() : other.next()
                return Float(Int(dice % 3)) * 0.06 - 0.06
            }
            let block = cell / side / size * (side / size) + cell % side / size
            return levels[otherBlocks.contains(block) ? 1 : 0]
        }
        let fineSide = PageSignature.fineSide
        let fine = (0..<fineSide * fineSide).map { cell in
            let (x, y) = (cell % fineSide / 2, cell / fineSide / 2)
            return UInt8((150 * (1 + detail[y * side + x])).rounded())
        }
        let blocks = (side / size) * (side / size)
        return PageSignature(
            detail: detail, paper: [Float](repeating: 1, count: blocks), fine: fine)
    }

    /// True if a page counts as new that is pushed after its capture and then differs in some
    /// blocks.
    private func isNew(after otherBlocks: Set<Int>) -> Bool {
        var memory = PageMemory()
        let place = TrackedPage(quad: Desk.place, confidence: 0.9)
        memory.captured(signature(otherBlocks: []), place)
        memory.saw(place, at: 1, motion: 0.5)
        return memory.isNew(signature(otherBlocks: otherBlocks), steadySince: 1)
    }

    /// The blocks at the left rim and two blocks at the upper rim, which show the page's
    /// surroundings if the corners are wrong.
    private static let rim: Set<Int> = [0, 8, 16, 24, 32, 40, 48, 56, 1, 2]

    @Test(
        "A page that differs at its rim and in few inner blocks is the same page",
        arguments: [[], [18], [18, 27, 36, 45, 21]])
    func same(inner: [Int]) {
        #expect(!isNew(after: Self.rim.union(inner)))
    }

    @Test(
        "A page that reappears is recognized despite wrong corners and many later pages",
        arguments: [12.0, 16])
    func comesToLight(off: Double) {
        var memory = PageMemory()
        let place = TrackedPage(quad: Desk.place, confidence: 0.9)
        var quad = Desk.place
        quad.bottomLeft.x += off
        let first = Desk(page: 1, noise: 5).signature(quad)
        memory.captured(first, place)
        for page in 2...9 { memory.captured(Desk(page: page, noise: 5).signature(), place) }
        let again = Desk(page: 1, noise: 5, seed: 8).signature()
        #expect(
            (0.15..<0.4).contains(again.change(since: first).share), "\(again.change(since: first))"
        )
        memory.saw(place, at: 1, motion: 0.5)
        let isNew = memory.isNew(again, steadySince: 1)
        #expect(!isNew)
    }

    @Test("A page that differs everywhere is another one")
    func other() {
        #expect(isNew(after: Set(0..<64)))
        #expect(isNew(after: Self.rim.union([18, 27, 36, 45, 21, 22, 29, 30, 37, 38, 44, 46])))
    }
}
