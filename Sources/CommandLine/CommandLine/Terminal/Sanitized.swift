import FileNames

/// Makes text from devices, files and the network safe to show on a terminal.
///
/// A file's name may contain escape sequences that move the cursor, rename the window or hide text.
/// Every text that does not come from the program itself must pass through here before it is shown.
public enum Sanitized {
    /// `text` as a single line: without escape sequences and control characters, line breaks and
    /// tabs as one space each.
    ///
    /// Also removed are the marks that turn the direction of writing (U+061C, U+200E, U+200F,
    /// U+202A…U+202E, U+2066…U+2069), which can make a name look like another, and the separators
    /// U+2028 and U+2029. Characters that stand for bytes of a file's name are written as `\n` or
    /// `\xff` (``FileNames/FileNames/shown(_:)``). Control sequences follow ECMA-48: `ESC [ …
    /// final` and the strings `ESC ] P X ^ _ … ST`; an unterminated one loses only its ESC.
    public static func line(_ text: String) -> String {
        // Most text is clean: look before copying.
        let text = FileNames.shown(text)
        guard text.unicodeScalars.contains(where: FileNames.isUnsafe) else { return text }
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\r" where rest.first == "\n": continue
            case "\n", "\t", "\r", "\u{2028}", "\u{2029}": result.append(" ")
            case "\u{1B}": rest = afterEscape(rest)
            case _ where FileNames.isUnsafe(scalar): continue
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// The text after an ESC and its sequence.
    private static func afterEscape(
        _ text: Substring.UnicodeScalarView
    ) -> Substring.UnicodeScalarView {
        let body = text.dropFirst()
        switch text.first {
        case "[":
            let end = body.firstIndex { !(0x20...0x3F).contains($0.value) }
            guard let end, (0x40...0x7E).contains(body[end].value) else { return text }
            return body[body.index(after: end)...]
        case "]", "P", "X", "^", "_":
            // A string ends with BEL, or with ESC and a backslash.
            guard let end = body.firstIndex(where: { $0 == "\u{07}" || $0 == "\u{1B}" })
            else { return text }
            let after = body[body.index(after: end)...]
            return body[end] == "\u{07}" ? after : after.first == "\\" ? after.dropFirst() : text
        default:
            return text
        }
    }
}
