extension Character {
    /// The columns of the character on a terminal: 0, 1 or 2.
    ///
    /// East Asian wide and full-width characters (Unicode Annex 11) and emoji have two columns;
    /// single combining marks and format characters have none. Ambiguous characters have one, as on
    /// terminals outside East Asia.
    public var displayWidth: Int {
        if unicodeScalars.count > 1, unicodeScalars.contains("\u{FE0F}") { return 2 }
        return unicodeScalars.reduce(0) { Swift.max($0, $1.displayWidth) }
    }
}

extension StringProtocol {
    /// The columns of the text on a terminal; see ``Swift/Character/displayWidth``.
    public var displayWidth: Int {
        utf8.allSatisfy { 0x20..<0x7F ~= $0 } ? utf8.count : reduce(0) { $0 + $1.displayWidth }
    }

    /// The text, cut to `width` columns with `…` at its end if it is wider.
    public func truncated(toWidth width: Int) -> String {
        guard displayWidth > width else { return String(self) }
        guard width > 0 else { return "" }
        var used = 0
        var result = ""
        for character in self {
            used += character.displayWidth
            guard used < width else { break }
            result.append(character)
        }
        return result + "…"
    }

    /// The text, filled with spaces after it (or before it) to `width` columns.
    public func padded(toWidth width: Int, alignedRight: Bool = false) -> String {
        let spaces = String(repeating: " ", count: Swift.max(0, width - displayWidth))
        return alignedRight ? spaces + self : self + spaces
    }
}

extension Unicode.Scalar {
    fileprivate var displayWidth: Int {
        if value < 0x300 { return value < 0x20 || 0x7F..<0xA0 ~= value ? 0 : 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator,
            .paragraphSeparator:
            return 0
        default: return isWide || properties.isEmojiPresentation ? 2 : 1
        }
    }

    /// The blocks that Annex 11 calls wide or full-width.
    private var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
            0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
