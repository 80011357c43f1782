import Archive
import Documents

/// Pages of generated text, the same for the same seed.
///
/// A page has at least 60 words, mostly from a vocabulary of 20,000, with frequent and rare ones.
/// "half" is on every second page. "hundredth" and the phrase "needle haystack" are on every
/// hundredth, and so is "prefixed…" with varying endings.
struct GeneratedPages {
    private var random: SplitMix
    private var number = 0

    init(seed: UInt64) { random = SplitMix(state: seed) }

    mutating func next(image: [UInt8]?) -> NewPage {
        number += 1
        let text = text()
        return NewPage(
            page: Page(
                number: number, width: 2_480, height: 3_508, resolution: 300, text: text,
                provenance: Provenance(device: "generated:pages")),
            image: image ?? unique(), media: "application/octet-stream")
    }

    /// Bytes that no other page has.
    private mutating func unique() -> [UInt8] {
        (0..<512).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
    }

    private mutating func text() -> PageText {
        var words = (0..<Int.random(in: 60...80, using: &random)).map { _ in vocabulary() }
        if number % 2 == 1 { words[3] = "half" }
        if number % 100 == 7 { words[10] = "hundredth" }
        if number % 100 == 11 { words.replaceSubrange(20..<22, with: ["needle", "haystack"]) }
        if number % 100 == 13 { words[30] = "prefixed\(number % 700)" }
        words[0] = "page\(number)"
        let box = Box(x: 100, y: 100, width: 2_000, height: 3_000)
        let lines = stride(from: 0, to: words.count, by: 10).map { start in
            let line = words[start..<min(start + 10, words.count)].enumerated().map {
                Word(
                    text: $1,
                    box: Box(x: 100 + 200 * $0, y: 100 + 6 * start, width: 180, height: 50),
                    confidence: 0.9)
            }
            return TextLine(
                words: line, box: Box(x: 100, y: 100 + 6 * start, width: 2_000, height: 50))
        }
        return PageText(
            blocks: [TextBlock(paragraphs: [Paragraph(lines: lines, box: box)], box: box)],
            languages: ["eng"])
    }

    /// A word; the low numbers come far more often.
    private mutating func vocabulary() -> String {
        let share = Double.random(in: 0..<1, using: &random)
        let index = Int(share * share * share * 20_000)
        let letters = Array("etaoinshrdlu")
        var word = ""
        var rest = index + 12
        while rest > 0 {
            word.append(letters[rest % 12])
            rest /= 12
        }
        return word
    }
}

/// SplitMix64.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
