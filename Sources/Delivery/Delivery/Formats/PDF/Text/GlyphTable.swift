/// The codes that stand for characters in the invisible text.
///
/// A code stands for a whole character as people see it, so that a letter with its accents, or an
/// emoji with several parts, is one step of the cursor and is copied completely. A font has 65,534
/// codes; when they are used up, the next word begins a new font.
final class GlyphTable {
    /// The code of a space in every font.
    static let space: UInt16 = 1

    /// The characters for the codes of each font; the first entry is for code 1.
    private(set) var fonts: [[String]] = [[" "]]
    private var codes: [String: UInt16] = [" ": 1]
    private let capacity: Int

    /// - Parameter capacity: Codes a font may have, at most 65,534.
    init(capacity: Int = 65_534) {
        self.capacity = capacity
    }

    /// A word in codes of one font.
    ///
    /// - Returns: The font, from 1; and a code for each character.
    func encode(_ characters: [String]) -> (font: Int, codes: [UInt16]) {
        // A word with more characters than a font is cut; no real page has one.
        let characters = characters.prefix(capacity - 1)
        var missing = Set<String>()
        for character in characters where codes[character] == nil { missing.insert(character) }
        if codes.count + missing.count > capacity {
            fonts.append([" "])
            codes = [" ": 1]
        }
        let encoded = characters.map { character in
            if let code = codes[character] { return code }
            fonts[fonts.count - 1].append(character)
            let code = UInt16(fonts[fonts.count - 1].count)
            codes[character] = code
            return code
        }
        return (fonts.count, encoded)
    }

    /// The CMap that maps a font's codes back to Unicode (Adobe Technical Note 5411).
    static func toUnicode(_ characters: [String]) -> [UInt8] {
        var map = """
            /CIDInit /ProcSet findresource begin
            12 dict begin
            begincmap
            /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
            /CMapName /Adobe-Identity-UCS def
            /CMapType 2 def
            1 begincodespacerange
            <0000> <FFFF>
            endcodespacerange

            """
        // A section may have at most 100 entries.
        for start in stride(from: 0, to: characters.count, by: 100) {
            let section = characters[start..<min(start + 100, characters.count)]
            map += "\(section.count) beginbfchar\n"
            for (index, character) in zip(section.indices, section) {
                map += "<\(hex(UInt16(index + 1)))> <"
                for unit in character.utf16 { map += hex(unit) }
                map += ">\n"
            }
            map += "endbfchar\n"
        }
        map += """
            endcmap
            CMapName currentdict /CMap defineresource pop
            end
            end

            """
        return Array(map.utf8)
    }
}

/// Four hexadecimal digits.
func hex(_ value: UInt16) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
}

/// A word's characters in the order in which they are on the page, from left to right.
///
/// Readers expect right-to-left letters in printed order, and reverse them. Numbers and Latin
/// letters within such a word keep their direction. A character with more than 32 UTF-16 units is
/// divided, because an entry in a CMap can't hold more.
func visualCharacters(of word: String) -> [String] {
    var characters: [String] = []
    for character in word {
        if character.utf16.count <= 32 {
            characters.append(String(character))
        } else {
            characters += character.unicodeScalars.map { String($0) }
        }
    }
    guard word.unicodeScalars.contains(where: isRightToLeft) else { return characters }
    characters.reverse()
    var start = 0
    while start < characters.count {
        var end = start
        while end < characters.count, isLeftToRight(characters[end]) { end += 1 }
        characters[start..<end].reverse()
        start = max(end, start + 1)
    }
    return characters
}

/// Hebrew, Arabic, Syriac, Thaana, N'Ko and their neighbors (Unicode's blocks of bidirectional
/// class R and AL).
private func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF:
        !scalar.properties.generalCategory.isDecimal
    default: false
    }
}

private func isLeftToRight(_ character: String) -> Bool {
    guard let first = character.unicodeScalars.first else { return false }
    return first.properties.generalCategory.isDecimal
        || (first.properties.isAlphabetic && !isRightToLeft(first))
}

extension Unicode.GeneralCategory {
    fileprivate var isDecimal: Bool { self == .decimalNumber }
}
