/// A rule by which the last character of a number follows from the others.
public enum CheckDigit: String, CaseIterable, Codable, Hashable, Sendable {
    /// There is no rule.
    case none
    /// ISO/IEC 7812 annex B, as IMEI and card numbers have it.
    case luhn
    /// GS1 General Specifications 7.9: EAN-13, EAN-8, UPC-A and ISBN-13.
    case gtin
    /// ISO 2108 before 2007: ISBN-10, whose last character may be `X` for ten.
    case isbn10

    /// True if the rule holds for `text`; never for letters in place of digits.
    public func accepts(_ text: String) -> Bool {
        if self == .none { return true }
        var values: [Int] = []
        for (index, letter) in text.utf8.enumerated() {
            switch letter {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                values.append(Int(letter) - Int(UInt8(ascii: "0")))
            case UInt8(ascii: "X") where self == .isbn10 && index == text.utf8.count - 1:
                values.append(10)
            default: return false
            }
        }
        guard values.count >= 2 else { return false }
        switch self {
        case .none: return true
        case .luhn:
            let sum = values.reversed().enumerated().reduce(0) { sum, item in
                let doubled = item.offset % 2 == 1 ? item.element * 2 : item.element
                return sum + (doubled > 9 ? doubled - 9 : doubled)
            }
            return sum % 10 == 0
        case .gtin:
            let sum = values.reversed().enumerated().reduce(0) {
                $0 + $1.element * ($1.offset % 2 == 1 ? 3 : 1)
            }
            return sum % 10 == 0
        case .isbn10:
            return values.count == 10
                && values.enumerated().reduce(0) { $0 + $1.element * (10 - $1.offset) } % 11 == 0
        }
    }
}
