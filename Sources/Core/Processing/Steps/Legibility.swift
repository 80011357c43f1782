import Documents

/// How much of a page can be read as it lies, and how much once it is turned.
///
/// What is read the wrong way round makes short words with little confidence; only long and sure
/// ones count.
struct Legibility {
    /// Letters and digits in words that were read surely, as the page lies.
    let asItLies: Int
    /// The same once it is turned.
    let turned: Int

    /// Words less sure than this say nothing, 0…1.
    private static let sureConfidence = 0.7
    /// Shorter words say nothing: strokes are often taken for an `l` or an `i`.
    private static let fewestLetters = 3
    /// As many letters must be read more once a page is turned.
    private static let leastGain = 9
    /// As many times as many letters must be read once a page is turned.
    private static let leastRatio = 2

    /// What was read of the page both ways.
    init(asItLies: PageText, turned: PageText) {
        self.asItLies = Self.letters(of: asItLies)
        self.turned = Self.letters(of: turned)
    }

    /// True where the page should be turned.
    var isClearlyBetterTurned: Bool {
        turned >= Self.leastRatio * asItLies && turned >= asItLies + Self.leastGain
    }

    private static func letters(of text: PageText) -> Int {
        text.words.filter { $0.confidence >= sureConfidence }
            .map { word in word.text.count { $0.isLetter || $0.isNumber } }
            .filter { $0 >= fewestLetters }
            .reduce(0, +)
    }
}
