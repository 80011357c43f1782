/// Text that is valid in XML 1.0, between tags as well as in an attribute.
///
/// The five special characters become entities. Line ends and tabs become spaces. What XML 1.0
/// forbids (control characters, U+FFFE, U+FFFF) is left out.
package func xmlEscaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
        switch scalar {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "\"": result += "&quot;"
        case "'": result += "&#39;"
        case "\t", "\n", "\r": result += " "
        default:
            if isReadable(scalar) { result.unicodeScalars.append(scalar) }
        }
    }
    return result
}

/// True if a character may be in a text file or in XML 1.0: no control character and no
/// noncharacter.
func isReadable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0xFDD0...0xFDEF: false
    default: scalar.value & 0xFFFE != 0xFFFE
    }
}

/// A word in a form that every format accepts: no control characters, and one space for every run
/// of white space inside.
///
/// Empty when nothing is left; such a word is left out.
func cleaned(_ word: String) -> String {
    if word.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return word }
    var result = ""
    var pendingSpace = false
    for scalar in word.unicodeScalars {
        if scalar.properties.isWhitespace {
            pendingSpace = !result.isEmpty
        } else if isReadable(scalar) {
            if pendingSpace { result += " " }
            pendingSpace = false
            result.unicodeScalars.append(scalar)
        }
    }
    return result
}

/// A language in the form of BCP 47 and `xsd:language`, or nil when `name` is not a language, such
/// as `script/Latin`.
///
/// Tesseract's `chi_sim` becomes `chi-sim`.
func languageTag(_ name: String?) -> String? {
    guard let name, !name.isEmpty else { return nil }
    let parts = name.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    for (index, part) in parts.enumerated() {
        guard (1...8).contains(part.utf8.count) else { return nil }
        for byte in part.utf8 {
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            guard isLetter || (isDigit && index > 0) else { return nil }
        }
    }
    return parts.joined(separator: "-")
}
