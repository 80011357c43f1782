import Documents
import Testing

@testable import Readers

@Suite("The answers for a region") struct RegionAnswerTests {
    private let region = Region(
        box: Box(x: 100, y: 100, width: 400, height: 40),
        letters: (0..<10).map { Box(x: 110 + 20 * $0, y: 110, width: 12, height: 20) })

    private func answer(
        _ text: String, _ confidence: Double, width: Int = 200, x: Int = 105
    ) -> RegionAnswer {
        let word = Word(
            text: text, box: Box(x: x, y: 105, width: width, height: 30), confidence: confidence)
        return RegionAnswer([TextLine(words: [word], box: word.box)], in: region)
    }

    private let nothing = [TextLine]()

    @Test("Sure words that cover the letters are used, unless those before are about as good")
    func better() {
        let before = RegionAnswer(nothing, in: region)
        #expect(answer("statement", 0.95).isBetter(than: before))
        #expect(answer("statement", 0.95).isBetter(than: answer("state", 0.9, width: 100)))
        #expect(!answer("statement", 0.92).isBetter(than: answer("statement", 0.9)))
    }

    @Test("Unsure words, few letters, and words that leave letters out are not used")
    func notUsed() {
        let before = RegionAnswer(nothing, in: region)
        #expect(!answer("statement", 0.78).isBetter(than: before))
        #expect(!answer("abc", 0.95).isBetter(than: before))
        #expect(!answer("=-=-=-", 0.95).isBetter(than: before))
        #expect(!answer("statement", 0.95, width: 80).isBetter(than: before))
    }

    @Test("Light letters are no drawing, so they need less confidence")
    func light() {
        var light = region
        light.shades = Region.Shades(ground: 0, letters: 255)
        let word = Word(
            text: "statement", box: Box(x: 105, y: 105, width: 200, height: 30), confidence: 0.78)
        let answer = RegionAnswer([TextLine(words: [word], box: word.box)], in: light)
        #expect(answer.isBetter(than: RegionAnswer(nothing, in: light)))
    }

    @Test("Words outside of the region, and noise, are left out of an answer")
    func outside() {
        #expect(answer("beside", 0.95, x: 600).words.isEmpty)
        #expect(answer("noise", 0.3).words.isEmpty)
    }

    @Test("The same words in another reading confirm a doubtful one")
    func confirmed() {
        #expect(answer("statement", 0.8).confirms(answer("statement", 0.41)))
        #expect(!answer("statement", 0.8).confirms(answer("staternent", 0.8)))
        let before = RegionAnswer(nothing, in: region)
        #expect(!before.confirms(before))
    }

    @Test("No other way is tried after a certain answer that covers all letters")
    func certain() {
        #expect(answer("statement", 0.95).isCertain)
        #expect(!answer("statement", 0.85).isCertain)
        #expect(!answer("statement", 0.95, width: 140).isCertain)
    }
}
