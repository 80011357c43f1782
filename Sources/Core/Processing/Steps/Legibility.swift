import Documents

/// How much of a page can be read in one of its possible orientations.
///
/// Text read upside down gives short words with low confidence; only long and certain ones count.
struct Legibility {
    /// Letters and digits in words that were read surely.
    let letters: Int

    /// Words less sure than this say nothing, 0…1.
    private static let sureConfidence = 0.7
    /// Shorter words say nothing: strokes are often mistaken for an `l` or an `i`.
    private static let fewestLetters = 3
    /// At least this many more letters must be read when a page is turned.
    private static let leastGain = 9
    /// At least this many times as many letters must be read when a page is turned.
    private static let leastRatio = 2
    /// With fewer letters, the right orientation can't be determined.
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

    /// True if the page should face this way, and not the other.
    func isClearlyBetter(than other: Legibility) -> Bool {
        letters >= Self.leastRatio * other.letters && letters >= other.letters + Self.leastGain
    }
}
