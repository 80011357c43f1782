/// The spellings of ligatures and of letters with marks in plain letters, for the index and for
/// queries.
///
/// `unicode61` removes accents from letters that Unicode can decompose, such as é and ü. This table
/// has the letters that it leaves unchanged, and those that many people spell with two letters. A
/// word with such letters is in the index with each letter's first spelling, and again with the
/// last.
enum WordSpellings {
    /// The spellings of a letter, in lower case; nil for a letter that needs none.
    static func of(_ letter: Unicode.Scalar) -> (short: String, long: String)? {
        switch letter {
        case "ä", "Ä": ("a", "ae")
        case "ö", "Ö", "ø", "Ø": ("o", "oe")
        case "ü", "Ü": ("u", "ue")
        case "å", "Å": ("a", "aa")
        case "ß", "ẞ": ("ss", "ss")
        case "æ", "Æ": ("ae", "ae")
        case "œ", "Œ": ("oe", "oe")
        case "þ", "Þ": ("th", "th")
        case "ð", "Ð", "đ", "Đ": ("d", "d")
        case "ł", "Ł": ("l", "l")
        case "ħ", "Ħ": ("h", "h")
        case "ı": ("i", "i")
        case "ſ": ("s", "s")
        case "ĳ", "Ĳ": ("ij", "ij")
        case "ﬀ": ("ff", "ff")
        case "ﬁ": ("fi", "fi")
        case "ﬂ": ("fl", "fl")
        case "ﬃ": ("ffi", "ffi")
        case "ﬄ": ("ffl", "ffl")
        case "ﬅ", "ﬆ": ("st", "st")
        default: nil
        }
    }

    /// The two spellings of a word, still with all other letters as they are; nil when it has none.
    static func of(
        _ word: some Sequence<Unicode.Scalar>
    ) -> (short: String.UnicodeScalarView, long: String.UnicodeScalarView)? {
        var short = String.UnicodeScalarView()
        var long = String.UnicodeScalarView()
        var isSpelled = false
        for letter in word {
            if let spelling = of(letter) {
                short.append(contentsOf: spelling.short.unicodeScalars)
                long.append(contentsOf: spelling.long.unicodeScalars)
                isSpelled = true
            } else if let vowel = mark(letter, on: long.last) {
                // A letter whose mark is a character of its own, as in text from a Mac.
                long.append(vowel)
                isSpelled = true
            } else {
                short.append(letter)
                long.append(letter)
            }
        }
        return isSpelled ? (short, long) : nil
    }

    /// The letter that stands for a combining mark in the long spelling.
    private static func mark(
        _ mark: Unicode.Scalar, on letter: Unicode.Scalar?
    ) -> Unicode.Scalar? {
        guard let letter else { return nil }
        return switch (mark, letter) {
        case ("\u{308}", "a"), ("\u{308}", "A"), ("\u{308}", "o"), ("\u{308}", "O"),
            ("\u{308}", "u"), ("\u{308}", "U"):
            "e"
        case ("\u{30A}", "a"), ("\u{30A}", "A"): "a"
        default: nil
        }
    }
}
