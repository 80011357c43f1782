/// An amount of money as it is printed: `1.234,56 €`, `$12.50`, `12,50 EUR`, `CHF 1'234.50`.
public struct MoneyText: Hashable, Sendable {
    /// The amount in hundredths of its currency.
    public let hundredths: Int
    /// The currency as an ISO 4217 code; nil if none is printed next to the amount.
    public let currency: String?

    /// The amount as programs read it: `1234.56`.
    public var text: String { Self.text(hundredths) }

    /// Hundredths as a number with two decimals: `-0.05`.
    public static func text(_ hundredths: Int) -> String {
        let cents = hundredths.magnitude % 100
        return
            "\(hundredths < 0 ? "-" : "")\(hundredths.magnitude / 100).\(cents < 10 ? "0" : "")\(cents)"
    }

    private static let signs: [(String, String)] = [
        ("€", "EUR"), ("EUR", "EUR"), ("EURO", "EUR"), ("$", "USD"), ("USD", "USD"), ("£", "GBP"),
        ("GBP", "GBP"), ("CHF", "CHF"), ("¥", "JPY"), ("JPY", "JPY"), ("RM", "MYR"), ("MYR", "MYR"),
        ("SEK", "SEK"), ("NOK", "NOK"), ("DKK", "DKK"), ("PLN", "PLN"), ("CAD", "CAD"),
        ("AUD", "AUD"),
        ("RP", "IDR"), ("IDR", "IDR"), ("₹", "INR"), ("INR", "INR"), ("SGD", "SGD"),
    ]

    /// The currency that a word names, alone or before or after digits; nil for none.
    package static func currency(in word: String) -> String? {
        let letters = word.uppercased().filter { !$0.isNumber && !".,'-+*:".contains($0) }
        return signs.first { $0.0 == letters }?.1
    }

    /// Reads a word as an amount.
    ///
    /// - Parameter needsDecimals: false to accept whole numbers too.
    /// - Returns: nil for a word that is not an amount, such as `1.2.3`, a date, or more than a hundred
    ///   million.
    public init?(_ word: String, needsDecimals: Bool = true) {
        currency = Self.currency(in: word)
        var text = word.uppercased()
        for (sign, _) in Self.signs { text = text.replacing(sign, with: "") }
        text = text.trimmed { " :*=+".contains($0) }
        var isNegative = false
        for dash in ["-", "–", "—"] where text.hasPrefix(dash) || text.hasSuffix(dash) {
            // `12.-` and `12,—` are whole amounts.
            if text.hasSuffix(dash), text.dropLast().last.map({ ".,".contains($0) }) ?? false {
                text = text.dropLast() + "00"
            } else {
                isNegative = true
                text = text.replacing(dash, with: "")
            }
        }
        text = String(text.map { Self.digits[$0] ?? $0 })
        // The letter of a tax rate follows the amount without a space: `12.50A`.
        if let last = text.last, last.isLetter, text.count > 1 { text.removeLast() }
        let marks = text.filter { !("0"..."9").contains($0) }
        guard marks.allSatisfy({ ".,' ’".contains($0) }), text.contains(where: \.isNumber) else {
            return nil
        }
        var decimals = ""
        var whole = text
        if let mark = text.lastIndex(where: { ".,".contains($0) }) {
            let tail = text[text.index(after: mark)...]
            if tail.count == 2 {
                decimals = String(tail)
                whole = String(text[..<mark])
                // One sign separates thousands, and the other separates the cents.
                if whole.contains(text[mark]) { return nil }
            } else if tail.count != 3 || needsDecimals {
                return nil
            }
        }
        guard !needsDecimals || decimals.count == 2, Self.isGrouped(whole) else { return nil }
        let digits = whole.filter(\.isNumber)
        guard digits.count <= 8, let units = Int(digits.isEmpty ? "0" : digits),
            let cents = Int(decimals.isEmpty ? "0" : decimals)
        else { return nil }
        hundredths = (isNegative ? -1 : 1) * (units * 100 + cents)
    }

    /// True if a text has only digits, or groups of three digits after the first group.
    private static func isGrouped(_ whole: String) -> Bool {
        let groups = whole.split(omittingEmptySubsequences: false) { !("0"..."9").contains($0) }
        guard let first = groups.first, groups.count > 1 else { return true }
        return (1...3).contains(first.count) && groups.dropFirst().allSatisfy { $0.count == 3 }
    }

    private static let digits: [Character: Character] = ["O": "0", "I": "1", "L": "1"]
}

extension String {
    /// The text without the characters at both ends for which `isLoose` holds.
    package func trimmed(_ isLoose: (Character) -> Bool) -> String {
        var text = Substring(self)
        while let first = text.first, isLoose(first) { text = text.dropFirst() }
        while let last = text.last, isLoose(last) { text = text.dropLast() }
        return String(text)
    }
}
