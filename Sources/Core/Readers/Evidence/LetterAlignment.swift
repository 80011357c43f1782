@_spi(_Unicode) import Swift

/// Pairs the letters and digits in which two readings of the same words agree; case, accents,
/// punctuation and spaces are ignored.
struct LetterAlignment {
    /// Longer lines are not compared, because the time grows with the square of the length.
    private static let longest = 600

    /// The letters of one reading.
    struct Letters {
        /// The letters in the form for comparing.
        private(set) var letters: [Unicode.Scalar] = []
        /// For each letter, the number of its word.
        private(set) var words: [Int] = []
        /// The index of each letter's character within its word.
        private(set) var places: [Int] = []

        init(_ texts: [String]) {
            for (word, text) in texts.enumerated() {
                for (place, character) in text.enumerated() {
                    for scalar in String(character).lowercased()._nfd
                    where scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                        letters.append(scalar)
                        words.append(word)
                        places.append(place)
                    }
                }
            }
        }

        /// True if a word begins at a letter.
        func startsWord(_ index: Int) -> Bool {
            index > 0 && words[index] != words[index - 1]
        }
    }

    let one: Letters
    let other: Letters
    /// Pairs of letters that agree, in order.
    let pairs: [(one: Int, other: Int)]

    init(_ one: [String], _ other: [String]) {
        self.one = Letters(one)
        self.other = Letters(other)
        pairs = Self.common(self.one.letters, self.other.letters)
    }

    /// The agreement of both, 0…1; 0 when one of them has no letters.
    var agreement: Double {
        let all = one.letters.count + other.letters.count
        return all == 0 ? 0 : 2 * Double(pairs.count) / Double(all)
    }

    /// The place where `other` begins a word.
    struct Start {
        /// The letter of `one` at that place.
        var letter: Int
        /// The index of that word in `other`.
        var word: Int
        /// True if the letters agree on both sides of that place, not only on one.
        var isEnclosed: Bool
    }

    /// The places where `other` begins a word within `one`, and the letters around it agree.
    var startsInOne: [Start] {
        pairs.indices.compactMap { index in
            let pair = pairs[index]
            guard other.startsWord(pair.other), pair.one > 0 else { return nil }
            let before = index > 0 ? pairs[index - 1] : nil
            let follows =
                before.map { $0.one == pair.one - 1 && $0.other == pair.other - 1 } ?? false
            let leads = (1...2).allSatisfy { step in
                index + step < pairs.count && pairs[index + step].one == pair.one + step
                    && pairs[index + step].other == pair.other + step
            }
            guard follows || leads else { return nil }
            return Start(
                letter: pair.one, word: other.words[pair.other], isEnclosed: follows && leads)
        }
    }

    /// The longest common subsequence.
    private static func common(
        _ one: [Unicode.Scalar], _ other: [Unicode.Scalar]
    ) -> [(one: Int, other: Int)] {
        guard !one.isEmpty, !other.isEmpty, one.count <= longest, other.count <= longest else {
            return []
        }
        let width = other.count + 1
        var lengths = [UInt16](repeating: 0, count: (one.count + 1) * width)
        for i in one.indices.reversed() {
            for j in other.indices.reversed() {
                lengths[i * width + j] =
                    one[i] == other[j]
                    ? lengths[(i + 1) * width + j + 1] + 1
                    : max(lengths[(i + 1) * width + j], lengths[i * width + j + 1])
            }
        }
        var pairs: [(one: Int, other: Int)] = []
        var (i, j) = (0, 0)
        while i < one.count, j < other.count {
            if one[i] == other[j] {
                pairs.append((i, j))
                (i, j) = (i + 1, j + 1)
            } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
                i += 1
            } else {
                j += 1
            }
        }
        return pairs
    }
}
