import Documents

/// The amount of a page's text that is readable in one of its possible orientations.
///
/// Text read upside down gives short words with low confidence; only long and certain ones count.
struct Legibility {
    /// The number of letters and digits in words that were read confidently.
    let letters: Int

    /// Words with a lower confidence than this do not count, 0…1.
    private static let sureConfidence = 0.7
    /// Shorter words do not count: strokes are often mistaken for an `l` or an `i`.
    private static let fewestLetters = 3
    /// Turning a page needs at least this many more letters.
    private static let leastGain = 9
    /// Turning a page needs at least this many times as many letters.
    private static let leastRatio = 2
    /// With fewer letters, the right orientation can't be determined.
    private static let poorLetters = 20

    /// The legibility of a page with this text.
    init(_ text: PageText) {
        letters = text.words.filter { $0.confidence >= Self.sureConfidence }
            .map { word in word.text.count { $0.isLetter || $0.isNumber } }
            .filter { $0 >= Self.fewestLetters }
            .reduce(0, +)
    }

    /// True if hardly anything is readable.
    var isPoor: Bool { letters < Self.poorLetters }

    /// True if the page should have this orientation, and not the other.
    func isClearlyBetter(than other: Legibility) -> Bool {
        letters >= Self.leastRatio * other.letters && letters >= other.letters + Self.leastGain
    }
}
