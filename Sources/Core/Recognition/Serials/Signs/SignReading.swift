import Documents

/// A line of capital letters and digits, read character by character.
public struct SignReading: Sendable {
    /// One character.
    struct Sign: Sendable {
        /// The possible characters with their probabilities, whose sum is at most 1.
        let chances: [Character: Double]
        /// The character's box, in pixels of the whole picture.
        let box: Box

        /// The likeliest character.
        var letter: Character {
            chances.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? "?"
        }
        /// The probability of the most likely character.
        var confidence: Double { chances.values.max() ?? 0 }
    }

    /// The groups of characters between gaps or other marks.
    let words: [[Sign]]
}

extension SerialToken {
    /// Every token in a line that was read character by character.
    ///
    /// - Parameter labels: the labels that a text reader has found; their characters belong to no
    ///   number.
    static func all(
        in signs: SignReading, behind labels: [Box] = [], reading: Int
    ) -> [SerialToken] {
        let signs = signs.words.map { word in
            word.filter { sign in !labels.contains { $0.containsMiddle(of: sign.box) } }
        }.filter { !$0.isEmpty }
        var result: [SerialToken] = []
        for first in signs.indices {
            var used: [SignReading.Sign] = []
            for last in first..<min(signs.count, first + mostWords) {
                used += signs[last]
                guard used.count <= LetterLattice.longest else { break }
                guard used.count >= 4, let box = Box(around: used.map(\.box)) else { continue }
                result.append(
                    SerialToken(
                        letters: used.map(\.letter), chances: used.map(\.chances), box: box,
                        confidence: used.reduce(0) { $0 + $1.confidence } / Double(used.count),
                        reading: reading, labels: [], isOther: false, separators: last - first,
                        words: last - first + 1))
            }
        }
        return result
    }
}

extension Box {
    fileprivate func containsMiddle(of other: Box) -> Bool {
        (x..<right).contains(other.x + other.width / 2)
            && (y..<bottom).contains(other.y + other.height / 2)
    }
}
