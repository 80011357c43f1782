import Documents

/// How much of a page can be read in one of the ways it may lie.
///
/// What is read the wrong way round makes short words with little confidence; only long and sure
/// ones count.
struct Legibility {
    /// Letters and digits in words that were read surely.
    let letters: Int

    /// Words less sure than this say nothing, 0…1.
    private static let sureConfidence = 0.7
    /// Shorter words say nothing: strokes are often taken for an `l` or an `i`.
    private static let fewestLetters = 3
    /// As many letters must be read more once a page is turned.
    private static let leastGain = 9
    /// As many times as many letters must be read once a page is turned.
    private static let leastRatio = 2
    /// Of fewer letters nobody can tell whether a page is read as it lies.
    private static let poorLetters = 20

    /// What was read of the page.
    init(_ text: PageText) {
        letters = text.words.filter { $0.confidence >= Self.sureConfidence }
            .map { word in word.text.count { $0.isLetter || $0.isNumber } }
            .filter { $0 >= Self.fewestLetters }
            .reduce(0, +)
    }

    /// True where hardly anything can be read.
    var isPoor: Bool { letters < Self.poorLetters }

    /// True where the page should face this way, and not the other.
    func isClearlyBetter(than other: Legibility) -> Bool {
        letters >= Self.leastRatio * other.letters && letters >= other.letters + Self.leastGain
    }
}
