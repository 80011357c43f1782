import Documents

/// The text that was read in a region, with the evidence for it.
struct RegionAnswer {
    /// Words of a region with less confidence are noise.
    private static let noise = 0.4
    /// The minimum number of letters in words, and the minimum confidence, of an answer that is
    /// used.
    private static let (fewest, sure) = (4, 0.75)
    /// The minimum confidence of letters that may be strokes of a drawing.
    private static let clearlySure = 0.9
    /// An answer covers at least this part of the region's letters.
    private static let leastCovered = 0.6
    /// The factor by which an answer needs more evidence to replace the earlier reading.
    private static let clearly = 1.1
    /// An answer with this confidence that covers this part ends the search.
    private static let (certain, whole) = (0.9, 0.9)

    /// The lines on the page.
    let lines: [TextLine]
    /// The part of the region's letters that they cover.
    let covered: Double
    private let isLight: Bool

    /// The answer that consists of a region's words.
    init(_ lines: [TextLine], in region: Region) {
        self.lines = lines.compactMap { line in
            let words = line.words.filter {
                region.box.containsMiddle(of: $0.box) && $0.confidence >= Self.noise
            }
            return Box(around: words.map(\.box)).map {
                TextLine(words: words, box: $0, baseline: line.baseline)
            }
        }
        covered = region.covered(by: self.lines.flatMap(\.words))
        isLight = region.shades != nil
    }

    /// The words of all lines.
    var words: [Word] { lines.flatMap(\.words) }

    /// True if no other way needs to be tried.
    var isCertain: Bool { covered >= Self.whole && words.sureness >= Self.certain }

    /// True if another reading gave the same words.
    func confirms(_ before: RegionAnswer) -> Bool {
        !words.isEmpty && words.map(\.text) == before.words.map(\.text)
    }

    /// The evidence: the letters, weighted by their confidence and by the ink that they cover.
    var weight: Double { words.weight * covered }

    /// True if the answer should replace the earlier reading.
    func isBetter(than before: RegionAnswer) -> Bool {
        let words = words
        let letters = words.reduce(0) { $0 + $1.text.count { $0.isLetter || $0.isNumber } }
        return letters >= Self.fewest && covered >= Self.leastCovered
            && words.sureness >= (isLight ? Self.sure : Self.clearlySure)
            && weight > Self.clearly * before.weight
    }
}
