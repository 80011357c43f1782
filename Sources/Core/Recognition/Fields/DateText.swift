import Documents

/// A printed date: `2026-11-22`, `22.11.2026`, `11/22/26`, `22 Nov 2026`, `November 22, 2026`, `22.
/// März 2026`.
public struct DateText: Hashable, Sendable {
    /// The date in the form of ISO 8601.
    public let text: String
    /// The date with day and month exchanged, if both are valid and nothing shows which is right;
    /// nil otherwise.
    public let otherText: String?

    private static let years = 1970...2099

    /// Reads the first date in some words; nil for none.
    ///
    /// - Parameter monthFirst: true to read `3/4/2026` as March 4; only for dates with slashes or
    ///   hyphens.
    public init?(_ words: [String], monthFirst: Bool = false) {
        for start in words.indices {
            let rest = words[start...].prefix(4).map(\.self)
            if let day = Self.numeric(rest[0], monthFirst: monthFirst) ?? Self.named(rest) {
                self = day
                return
            }
            // `22. 11. 2026` and `22 / 11 / 2026`.
            let joined = rest.joined()
            if rest.count >= 3, rest[0].count <= 3,
                let day = Self.numeric(joined, monthFirst: monthFirst)
            {
                self = day
                return
            }
        }
        return nil
    }

    private init?(_ year: Int, _ month: Int, _ day: Int, isOpen: Bool = false) {
        let year = year < 70 ? 2000 + year : year < 100 ? 1900 + year : year
        guard Self.years.contains(year), let text = Self.text(year, month, day) else { return nil }
        self.text = text
        otherText = isOpen && month != day ? Self.text(year, day, month) : nil
    }

    private static func text(_ year: Int, _ month: Int, _ day: Int) -> String? {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard days.indices.contains(month - 1), (1...days[month - 1]).contains(day) else {
            return nil
        }
        return "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
    }

    /// Reads three numbers with the same sign between them.
    private static func numeric(_ word: String, monthFirst: Bool) -> DateText? {
        let clean = word.trimmed { !$0.isNumber }
        let digits = clean.map { "OoQ".contains($0) ? "0" : "lI|".contains($0) ? "1" : $0 }
        let marks = Set(digits.filter { !$0.isNumber })
        guard marks.count == 1, let mark = marks.first, "./-".contains(mark) else { return nil }
        let parts = String(digits).split(separator: mark, omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ (1...4).contains($0.count) }) else { return nil }
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == 3 else { return nil }
        if parts[0].count == 4 { return DateText(numbers[0], numbers[1], numbers[2]) }
        guard parts[0].count <= 2, parts[1].count <= 2, parts[2].count != 3, parts[2].count != 1
        else { return nil }
        // In dates with periods, the day always comes first.
        let isMonthFirst = mark == "/" || mark == "-" ? monthFirst : false
        let (month, day) = isMonthFirst ? (numbers[0], numbers[1]) : (numbers[1], numbers[0])
        return DateText(numbers[2], month, day, isOpen: mark != ".")
            ?? DateText(numbers[2], day, month)
    }

    /// Reads a month's name with a day and a year around it.
    private static func named(_ words: [String]) -> DateText? {
        let plain = words.map { $0.lowercased().trimmed { !$0.isLetter && !$0.isNumber } }
        func number(_ index: Int) -> Int? {
            guard plain.indices.contains(index) else { return nil }
            var text = plain[index]
            for ending in ["st", "nd", "rd", "th"] where text.hasSuffix(ending) {
                text = String(text.dropLast(2))
            }
            // `O5`: letters that look like digits.
            return Int(String(text.map { $0 == "o" ? "0" : $0 == "l" || $0 == "i" ? "1" : $0 }))
        }
        if let first = plain.first, let month = month(first), let day = number(1),
            let year = number(2)
        {
            return DateText(year, month, day)
        }
        if plain.count >= 3, let month = month(plain[1]), let day = number(0), let year = number(2)
        {
            return DateText(year, month, day)
        }
        // `22-Nov-2026`, `22Nov2026`.
        let parts = words[0].split { "-/. ".contains($0) }.map(String.init)
        if parts.count == 3, let month = month(parts[1].lowercased()), let day = Int(parts[0]),
            let year = Int(parts[2])
        {
            return DateText(year, month, day)
        }
        return nil
    }

    private static func month(_ word: String) -> Int? {
        let word = word.trimmed { !$0.isLetter }
        guard word.count >= 3 else { return nil }
        return months.firstIndex { names in
            names.contains { $0 == word || word.count <= 4 && $0.hasPrefix(word.prefix(3)) }
        }.map { $0 + 1 }
    }

    /// The names of months in English, German, French, Spanish, Italian and Dutch.
    private static let months: [[String]] = [
        ["january", "januar", "jänner", "janvier", "enero", "gennaio", "januari"],
        ["february", "februar", "février", "fevrier", "febrero", "febbraio", "februari"],
        ["march", "märz", "maerz", "mars", "marzo", "maart", "mrz"],
        ["april", "avril", "abril", "aprile"],
        ["may", "mai", "mayo", "maggio", "mei"],
        ["june", "juni", "juin", "junio", "giugno"],
        ["july", "juli", "juillet", "julio", "luglio"],
        ["august", "août", "aout", "agosto", "augustus"],
        ["september", "septembre", "septiembre", "settembre", "sept"],
        ["october", "oktober", "octobre", "octubre", "ottobre"],
        ["november", "novembre", "noviembre"],
        ["december", "dezember", "décembre", "decembre", "diciembre", "dicembre"],
    ]
}
