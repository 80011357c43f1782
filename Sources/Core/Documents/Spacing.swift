extension Unicode.Scalar {
    /// True if the character is Chinese or Japanese; words in these scripts have no spaces between
    /// them.
    public var isIdeograph: Bool {
        switch value {
        case 0x3005...0x3007, 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF,
            0x3105...0x312F, 0x31F0...0x31FF, 0xFF66...0xFF9F:
            true
        default: properties.isIdeographic
        }
    }

    /// True if the character has no space beside it: it is Chinese or Japanese, or punctuation of
    /// the same width.
    fileprivate var isSetSolid: Bool {
        switch value {
        case 0x3000...0x303F, 0xFF00...0xFFEF, 0x30FB: true
        default: isIdeograph
        }
    }
}

extension StringProtocol {
    /// True if a space belongs between this text and the next one in a line.
    ///
    /// Readers put a space between every two Chinese or Japanese characters, where no one writes
    /// any.
    public func isSpaced(before next: some StringProtocol) -> Bool {
        guard let end = unicodeScalars.last, let start = next.unicodeScalars.first else {
            return false
        }
        return !(end.isSetSolid && start.isSetSolid)
    }
}

extension Sequence<String> {
    /// The words of a line, with spaces where people write them.
    public func joinedAsLine() -> String {
        reduce(into: "") { line, word in
            if line.isSpaced(before: word) { line += " " }
            line += word
        }
    }
}
