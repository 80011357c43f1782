import FileNames
import Testing

@testable import FileImportBackend

@Suite struct NaturalOrderTests {
    @Test("Names sort by their numbers")
    func order() {
        var noise = Noise(seed: 30)
        let expected = [
            "1.png", "02.png", "10.png", "a/9.png", "a/10.png", "a b.png", "page1.png", "Page2.png",
            "page010.png",
            "page100000000000000000000.png", "page100000000000000000001.png",
        ]
        let sorted = expected.shuffled(using: &noise).map { Array($0.utf8) }
            .sorted(by: comesBeforeNaturally)
        #expect(sorted.map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test("The order is strict and total for random names")
    func total() {
        var noise = Noise(seed: 31)
        let letters = Array("01290aA./".utf8)
        let names = (0..<60).map { _ in
            (0..<Int.random(in: 0...5, using: &noise)).map { _ in
                letters.randomElement(using: &noise)!
            }
        }
        for a in names {
            for b in names {
                let forth = comesBeforeNaturally(a, b)
                let back = comesBeforeNaturally(b, a)
                #expect(a == b ? !forth && !back : forth != back)
                for c in names where forth && comesBeforeNaturally(b, c) {
                    #expect(comesBeforeNaturally(a, c))
                }
            }
        }
    }

    @Test("Page selections can be typed in the usual ways")
    func selections() throws {
        let some = try #require(PageSelection("1-3, 7,9-"))
        #expect((1...10).filter(some.contains) == [1, 2, 3, 7, 9, 10])
        #expect(PageSelection("")?.contains(1_000_000) == true)
        #expect(PageSelection("-2").map { (1...4).filter($0.contains) } == [1, 2])
        for wrong in ["0", "3-1", "a", "1,,2", "-", "1-2-3", "1.5", "+1", ","] {
            #expect(PageSelection(wrong) == nil, "\(wrong)")
        }
    }
}
