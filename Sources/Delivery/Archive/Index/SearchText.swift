import Documents

/// A page's text as it is searched: words that are hyphenated at a line's end joined, each letter
/// traceable to its words.
struct SearchText {
    /// The searched text: every line's words, then a line break.
    private(set) var body = ""
    /// The joined words with their hyphens, such as `well-known`, since they may be compounds.
    private(set) var broken = ""
    /// The range of each word in the UTF-8 of ``body``, and the words of the page that it stands
    /// for.
    private(set) var places: [(range: Range<Int>, words: ClosedRange<Int>)] = []
    /// The ranges and words for ``broken``.
    private(set) var brokenPlaces: [(range: Range<Int>, words: ClosedRange<Int>)] = []

    init(_ text: PageText) {
        // Columns and paragraphs may also end in the middle of a word, so their ends are treated
        // like a line's.
        add(text.lines.map { $0.words.map { Self.clean($0.text) } })
    }

    private mutating func add(_ lines: [[String]]) {
        var index = 0
        var isJoined = false
        for (number, words) in lines.enumerated() {
            for (place, word) in words.enumerated() {
                defer { index += 1 }
                if place == 0, isJoined {
                    isJoined = false
                    continue
                }
                let next = number + 1 < lines.count ? lines[number + 1].first : nil
                if place == words.count - 1, let next, let stem = Self.stem(word, before: next) {
                    append(stem + next, index...(index + 1))
                    appendBroken(word + next, index...(index + 1))
                    isJoined = true
                } else {
                    append(word, index...index)
                }
            }
            let next = lines.dropFirst(number + 1).first?.first ?? ""
            // A text in ideographs continues on the next line without a break.
            if !body.isEmpty, body.isSpaced(before: next) || next.isEmpty { body += "\n" }
        }
    }

    private mutating func append(_ word: String, _ words: ClosedRange<Int>) {
        if body.utf8.last != UInt8(ascii: "\n"), body.isSpaced(before: word) { body += " " }
        let start = body.utf8.count
        body += word
        places.append((start..<body.utf8.count, words))
    }

    private mutating func appendBroken(_ word: String, _ words: ClosedRange<Int>) {
        if !broken.isEmpty { broken += "\n" }
        let start = broken.utf8.count
        broken += word
        brokenPlaces.append((start..<broken.utf8.count, words))
    }

    /// The word without the hyphen at its end, when it continues with `next`; nil when it does not.
    ///
    /// A hyphen, U+2010 or a soft hyphen after a letter, and a lowercase letter next: a name or
    /// number is not joined.
    private static func stem(_ word: String, before next: String) -> String? {
        guard let hyphen = word.unicodeScalars.last,
            ["-", "\u{2010}", "\u{AD}"].contains(hyphen),
            let first = next.unicodeScalars.first, first.properties.isLowercase
        else { return nil }
        let stem = word.unicodeScalars.dropLast()
        guard let letter = stem.last, letter.properties.isAlphabetic else { return nil }
        return String(String.UnicodeScalarView(stem))
    }

    /// A word without control characters, which mark hits, and without soft hyphens, except at its
    /// end.
    private static func clean(_ word: String) -> String {
        if word.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return word }
        var result = String.UnicodeScalarView()
        let last = word.unicodeScalars.indices.last
        for index in word.unicodeScalars.indices {
            let scalar = word.unicodeScalars[index]
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0: result.append(" ")
            case 0xAD where index != last: continue
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}

/// Text without the control characters that mark hits.
func withoutControls(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\n" }) else {
        return text
    }
    return String(
        String.UnicodeScalarView(
            text.unicodeScalars.map { $0.value < 0x20 && $0 != "\n" ? " " : $0 }))
}
