import Documents

extension Collection<Word> {
    /// The number of letters of all words.
    var letterCount: Int { reduce(0) { $0 + $1.text.count } }

    /// The mean confidence of the letters; 0 for no words.
    var sureness: Double {
        let sum = reduce(0.0) { $0 + $1.confidence * Double($1.text.count) }
        return letterCount == 0 ? 0 : sum / Double(letterCount)
    }

    /// The total evidence for words: their letters, each weighted by its confidence above that of
    /// noise.
    ///
    /// Guessed letters add little, and missing ones nothing.
    var weight: Double { reduce(0) { $0 + Double($1.text.count) * ($1.confidence - noise) } }
}

/// The confidence of readers in shapes that are not text.
private let noise = 0.3
