/// The number at the beginning of an entry's first line: `1.`, `2)`, `III.`, `a)`, `§ 4`.
struct EntryMarker: Hashable {
    /// A way of numbering.
    struct Style: Hashable {
        enum Digits: Hashable { case arabic, upperRoman, lowerRoman, upperLetter, lowerLetter }
        enum Mark: Hashable { case stop, bracket, section, none }
        let digits: Digits
        let mark: Mark
    }

    let style: Style
    /// The number's value, from 1.
    let value: Int
    /// False if letters were read as digits, or the mark after the number is missing.
    let isClear: Bool
    /// The count of the number's words in the line, and of its letters in the last of them.
    let words: Int
    let lettersOfLast: Int

    /// The number in its own style: `4`, `IV`, `a`.
    var label: String { Self.label(value, style.digits) }

    static func label(_ value: Int, _ digits: Style.Digits) -> String {
        switch digits {
        case .arabic: "\(value)"
        case .upperRoman: RomanNumber.text(value)
        case .lowerRoman: RomanNumber.text(value).lowercased()
        case .upperLetter: letter(value, "A")
        case .lowerLetter: letter(value, "a")
        }
    }

    private static func letter(_ value: Int, _ first: Unicode.Scalar) -> String {
        guard (1...26).contains(value), let scalar = Unicode.Scalar(first.value + UInt32(value) - 1)
        else { return "\(value)" }
        return String(Character(scalar))
    }

    /// The same number after this many words that don't belong to the text.
    func skipping(_ skipped: Int) -> EntryMarker {
        EntryMarker(
            style: style, value: value, isClear: isClear, words: words + skipped,
            lettersOfLast: lettersOfLast)
    }

    /// The highest possible number.
    private static let highest = 9999

    /// Every way to read the beginning of a line as a number; empty for most lines.
    static func readings(of words: [String]) -> [EntryMarker] {
        guard let first = words.first else { return [] }
        var readings = sections(first, words.dropFirst().first)
        let opened = first.first.map { "([{".contains($0) } ?? false
        let bare = opened ? first.dropFirst() : Substring(first)
        let number = bare.prefix { !".,:;)]}".contains($0) }
        var rest = bare.dropFirst(number.count)
        // Only specks follow the mark.
        if rest.count > 1, !rest.contains(where: { $0.isLetter || $0.isNumber }) {
            rest = rest.prefix(1)
        }
        guard (1...9).contains(number.count) else { return readings }
        let mark: Style.Mark? =
            switch rest.first {
            case ".", ",", ":", ";": opened ? nil : .stop
            case ")", "]", "}": .bracket
            default: nil
            }
        let tail = rest.dropFirst()
        // `3.2 liters` does not begin with an entry's number. `3.Dinner` does, but has lost its
        // space.
        if let mark, tail.isEmpty || tail.first!.isLetter {
            let isUsual = rest.first == "." || rest.first == ")"
            let taken = tail.isEmpty ? first.count : first.count - tail.count
            readings += numbers(String(number)).map {
                EntryMarker(
                    style: Style(digits: $0.digits, mark: mark), value: $0.value,
                    isClear: $0.isClear && isUsual && tail.isEmpty, words: 1, lettersOfLast: taken)
            }
        } else if rest.isEmpty, !opened, words.count > 1 {
            // The mark may be lost before a capital letter.
            let next = words[1]
            if next.first?.isUppercase ?? false || ".)".contains(next) {
                readings += numbers(String(number)).flatMap { reading in
                    [Style.Mark.stop, .bracket].map { mark in
                        EntryMarker(
                            style: Style(digits: reading.digits, mark: mark), value: reading.value,
                            isClear: false, words: ".)".contains(next) ? 2 : 1,
                            lettersOfLast: ".)".contains(next) ? next.count : first.count)
                    }
                }
            }
        }
        // Readers mistake `(c)`, or `c)` as one word, for `©`.
        if first == "©" || first == "©)" {
            readings.append(
                EntryMarker(
                    style: Style(digits: .lowerLetter, mark: .bracket), value: 3, isClear: false,
                    words: 1, lettersOfLast: first.count))
        }
        return readings
    }

    private typealias Number = (digits: Style.Digits, value: Int, isClear: Bool)

    /// `§ 4`, `§4`, and its misreadings `8 4`, `$4`, `84`.
    private static func sections(_ first: String, _ second: String?) -> [EntryMarker] {
        let style = Style(digits: .arabic, mark: .section)
        var readings: [EntryMarker] = []
        /// Adds the readings of a number that is followed by a period, or by text whose space
        /// was lost.
        func add(_ text: Substring, clear: Bool, words: Int, before: Int) {
            let digits = text.prefix { ("0"..."9").contains($0) }
            let stop = text.dropFirst(digits.count).prefix { ".:,".contains($0) }
            let rest = text.dropFirst(digits.count + stop.count)
            guard let value = Int(digits), (1...highest).contains(value),
                rest.first?.isLetter ?? true
            else { return }
            readings.append(
                EntryMarker(
                    style: style, value: value, isClear: clear, words: words,
                    lettersOfLast: before + digits.count + stop.count))
        }
        let signs: Set<Character> = ["§", "$", "S", "8", "&", "5", "3", "€"]
        guard let sign = first.first, signs.contains(sign) else { return [] }
        let behind = first.drop { $0 == "§" || $0 == sign }
        if behind.isEmpty || first.count <= 2 && behind.allSatisfy({ !$0.isNumber }) {
            if let second {
                add(Substring(second), clear: sign == "§", words: 2, before: 0)
            }
        }
        // Exactly one character before the digits.
        let digits = first.dropFirst()
        if !digits.isEmpty { add(digits, clear: sign == "§", words: 1, before: 1) }
        if sign == "§", !behind.isEmpty, behind != digits {
            add(behind, clear: true, words: 1, before: first.count - behind.count)
        }
        return readings
    }

    private static func numbers(_ text: String) -> [Number] {
        var result: [Number] = []
        // Small capitals are read as lowercase letters among capitals.
        let text = isMixedRoman(text) ? text.uppercased() : text
        if let value = Int(text), (1...highest).contains(value), text.count <= 4 {
            result.append((.arabic, value, true))
        } else if let value = Int(String(text.map { digits[$0] ?? $0 })), text.count <= 4,
            (1...highest).contains(value)
        {
            result.append((.arabic, value, false))
        }
        for (digits, isUpper) in [(Style.Digits.upperRoman, true), (.lowerRoman, false)] {
            if let value = RomanNumber.value(text, isUpper: isUpper) {
                result.append((digits, value, true))
            } else if let value = RomanNumber.value(
                String(text.map { isUpper ? romans[$0] ?? $0 : lowRomans[$0] ?? $0 }),
                isUpper: isUpper)
            {
                result.append((digits, value, false))
            } else if let value = RomanNumber.value(
                text.replacing("L", with: "I").replacing("l", with: "I"), isUpper: isUpper)
            {
                // `XIL` is a misreading of `XII`.
                result.append((digits, value, false))
            }
        }
        if text.unicodeScalars.count == 1, let scalar = text.unicodeScalars.first {
            switch scalar {
            case "a"..."z": result.append((.lowerLetter, Int(scalar.value) - 96, true))
            case "A"..."Z":
                result.append((.upperLetter, Int(scalar.value) - 64, true))
                // A capital may be a misread lowercase letter of the same shape.
                result.append((.lowerLetter, Int(scalar.value) - 64, false))
            default:
                for letter in letters[Character(scalar)] ?? [] {
                    let value = Int(letter.unicodeScalars.first!.value) - 96
                    result.append((.lowerLetter, value, false))
                    result.append((.upperLetter, value, false))
                }
            }
        } else if text.count == 2, let known = pairs[text] {
            result.append((.lowerLetter, known, false))
        }
        return result
    }

    /// True if a text is a number such as `XXxvIII`, with lowercase letters of the same shape among
    /// the capitals.
    private static func isMixedRoman(_ text: String) -> Bool {
        text.count > 1 && text.first?.isUppercase ?? false
            && text.allSatisfy { "IVXLCDMvxcil".contains($0) }
            && text.contains { $0.isLowercase }
    }

    // Characters that readers confuse with digits.
    private static let digits: [Character: Character] = [
        "l": "1", "I": "1", "|": "1", "i": "1", "!": "1", "]": "1", "O": "0", "o": "0", "S": "5",
        "s": "5", "B": "8", "Z": "2", "z": "2", "G": "6", "b": "6", "q": "9", "g": "9", "T": "7",
    ]
    private static let romans: [Character: Character] = [
        "l": "I", "1": "I", "|": "I", "i": "I", "!": "I", "T": "I", "v": "V", "x": "X", "Y": "V",
        "]": "I", "[": "I", "K": "X",
    ]
    private static let lowRomans: [Character: Character] = [
        "l": "i", "1": "i", "|": "i", "I": "i", "!": "i", "j": "i", "y": "v",
    ]
    private static let letters: [Character: [Character]] = [
        "1": ["l", "i"], "|": ["l"], "0": ["o"], "9": ["g", "q"], "5": ["s"], "6": ["b"],
        "2": ["z"], "¢": ["c"], "€": ["e", "c"], "©": ["c"], "®": ["e"], "8": ["s"], "@": ["a"],
        "£": ["f", "e"], "ł": ["l"], "ﬁ": ["f"], "é": ["e"], "ï": ["i"], "í": ["i"], "ç": ["c"],
    ]
    /// Two letters that were read for one: `rn` for `m`, `vv` for `w`.
    private static let pairs = ["rn": 13, "vv": 23, "ii": 14, "nn": 13, "in": 13, "cl": 4]
}

/// Roman numbers.
enum RomanNumber {
    private static let signs: [(value: Int, text: String)] = [
        (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
        (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
    ]

    /// The number in capital letters, `IV` for 4.
    static func text(_ value: Int) -> String {
        var (left, result) = (value, "")
        for (value, sign) in signs {
            while left >= value {
                result += sign
                left -= value
            }
        }
        return result
    }

    /// The value of `text`, if it is written as by ``text(_:)``; nil otherwise.
    static func value(_ text: String, isUpper: Bool) -> Int? {
        let capitals = isUpper ? text : text.uppercased()
        guard isUpper ? text == text.uppercased() : text == text.lowercased() else { return nil }
        guard (1...9).contains(text.count) else { return nil }
        var (rest, sum) = (Substring(capitals), 0)
        for (value, sign) in signs {
            while rest.hasPrefix(sign) {
                sum += value
                rest = rest.dropFirst(sign.count)
            }
        }
        return rest.isEmpty && sum > 0 && Self.text(sum) == capitals ? sum : nil
    }
}
