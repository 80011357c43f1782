import Documents

/// Words of a line that may form a number, with the label before them.
struct SerialToken {
    /// The characters, without blanks, hyphens, colons and periods.
    let letters: [Character]
    /// The possible characters at each place with their probabilities, whose sum is at most 1.
    let chances: [[Character: Double]]
    let box: Box
    /// The reader's confidence in the words, 0…1.
    let confidence: Double
    /// The index of the token's reading.
    let reading: Int
    /// The kinds whose label is before or above the token.
    var labels: Set<SerialKind>
    /// True after a label for something else, such as a model.
    var isOther: Bool
    /// The number of colons, hyphens and spaces that divide the token.
    let separators: Int
    /// The number of words that form the token.
    let words: Int

    /// The maximum number of words that may form a number.
    static let mostWords = 10

    /// Every token in a reading.
    static func all(in text: PageText, reading: Int) -> [SerialToken] {
        let lines = text.lines.map { line in line.words.flatMap(parted) }
        return lines.indices.flatMap { index in
            tokens(lines[index], above: above(index, lines), reading: reading)
        }
    }

    /// The places of numbers' labels in a reading; a single letter may belong to a number.
    static func labels(in text: PageText) -> [Box] {
        text.lines.flatMap { $0.words.flatMap(parted) }
            .filter { Label.isOfNumber($0.text) && $0.text.count >= 2 }.map(\.box)
    }

    private static func tokens(
        _ words: [Word], above: [Word], reading: Int
    ) -> [SerialToken] {
        var result: [SerialToken] = []
        for first in words.indices {
            var letters: [Character] = []
            var separators = 0
            let before = Array(words[..<first].suffix(4))
            let label = Label(before.isEmpty ? Array(above.suffix(4)) : before)
            for last in first..<min(words.count, first + mostWords) {
                let text = words[last].text
                let added = text.filter { !isSeparator($0) }
                if added.isEmpty, last == first { break }
                letters += added
                separators += text.count - added.count + (last > first ? 1 : 0)
                guard letters.count <= LetterLattice.longest else { break }
                guard letters.count >= 4,
                    let box = Box(around: words[first...last].map(\.box))
                else { continue }
                let used = words[first...last]
                result.append(
                    SerialToken(
                        letters: letters, chances: letters.map(LetterLattice.spread), box: box,
                        confidence: used.reduce(0) { $0 + $1.confidence } / Double(used.count),
                        reading: reading, labels: label.kinds, isOther: label.isOther,
                        separators: separators, words: used.count))
            }
        }
        return result
    }

    private static func isSeparator(_ letter: Character) -> Bool {
        " -–—_:.,;·'\"*~`’‘“”()[]{}<>=+#/\\".contains(letter)
    }

    /// The line above this one, if it is near.
    private static func above(_ index: Int, _ lines: [[Word]]) -> [Word] {
        guard index > 0, let box = Box(around: lines[index].map(\.box)),
            let other = Box(around: lines[index - 1].map(\.box)),
            box.y - other.bottom < 2 * box.height
        else { return [] }
        return lines[index - 1]
    }

    /// Divides `S/N:C02X` into `S/N:` and `C02X`: a label that is printed without a space after it.
    private static func parted(_ word: Word) -> [Word] {
        for (offset, letter) in word.text.enumerated() where ":#)".contains(letter) {
            let head = String(word.text.prefix(offset + 1))
            let tail = String(word.text.dropFirst(offset + 1))
            guard !tail.isEmpty, Label.isLabel(head) else { continue }
            let share = word.box.width * (offset + 1) / max(1, word.text.count)
            var (left, right) = (word, word)
            left.text = head
            left.box.width = max(1, share)
            right.text = tail
            right.box.x += share
            right.box.width = max(1, word.box.width - share)
            return [left, right]
        }
        return [word]
    }
}

/// The label in the words before a number.
struct Label {
    let kinds: Set<SerialKind>
    let isOther: Bool

    /// The label in the last words; the nearest one counts.
    init(_ words: [Word]) {
        let texts = words.map { Self.plain($0.text) }.filter { !$0.isEmpty }
        for count in stride(from: min(3, texts.count), through: 1, by: -1) {
            let joined = texts.suffix(count).joined()
            let kinds = Self.kinds(joined)
            if !kinds.isEmpty {
                (self.kinds, isOther) = (kinds, false)
                return
            }
        }
        // After "Model", the next word is the model, and the number's own label may follow.
        isOther = texts.suffix(2).contains { SerialKind.otherLabels.contains($0) }
        kinds = []
    }

    static func isLabel(_ text: String) -> Bool {
        isOfNumber(text) || SerialKind.otherLabels.contains(plain(text))
    }

    /// True if a single word is the label of a device's number.
    static func isOfNumber(_ text: String) -> Bool { !kinds(plain(text)).isEmpty }

    private static func plain(_ text: String) -> String {
        String(text.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }

    private static func kinds(_ text: String) -> Set<SerialKind> {
        Set(
            SerialKind.allCases.filter { kind in
                kind.labels.contains { label in
                    text == label
                        || label.count >= 5 && Likeness.of(text, label) >= 0.75
                            && text.last?.isNumber == label.last?.isNumber
                }
            })
    }
}
