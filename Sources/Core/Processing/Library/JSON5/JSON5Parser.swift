/// Reads JSON5 (https://spec.json5.org, 1.0.0): JSON with comments, trailing commas, bare keys and
/// single quotes.
///
/// FoundationEssentials' decoder reports neither the place of a mistake nor duplicate keys, and
/// people edit profiles by hand. So this reader records the line and column of everything.
struct JSON5Parser {
    /// The deepest nesting of values.
    static let depthLimit = 64

    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var position = TextPosition(line: 1, column: 1)

    private init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    /// The value in `text`.
    ///
    /// - Throws: ``JSON5Error`` with the place of the first mistake.
    static func parse(_ text: String) throws(JSON5Error) -> JSON5Value {
        var parser = JSON5Parser(Array(text.unicodeScalars))
        if parser.peek == "\u{FEFF}" { parser.advance() }
        try parser.skipBlanks()
        let value = try parser.value(depth: 0)
        try parser.skipBlanks()
        if let extra = parser.peek {
            throw parser.error("expected nothing more here, but found '\(extra)'")
        }
        return value
    }

    private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }
    private var next: Unicode.Scalar? { index + 1 < scalars.count ? scalars[index + 1] : nil }

    private mutating func advance() {
        let scalar = scalars[index]
        index += 1
        if scalar == "\n" || (scalar == "\r" && peek != "\n") {
            position.line += 1
            position.column = 1
        } else {
            position.column += 1
        }
    }

    private func error(_ message: String, at place: TextPosition? = nil) -> JSON5Error {
        JSON5Error(position: place ?? position, message: message)
    }

    private var found: String { peek.map { "'\($0)'" } ?? "the end of the file" }

    private mutating func skipBlanks() throws(JSON5Error) {
        while let scalar = peek {
            if scalar == "/", next == "/" {
                while let inside = peek, inside != "\n", inside != "\r" { advance() }
            } else if scalar == "/", next == "*" {
                let start = position
                advance()
                advance()
                while !(peek == "*" && next == "/") {
                    guard peek != nil else {
                        throw error("this comment has no closing */", at: start)
                    }
                    advance()
                }
                advance()
                advance()
            } else if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
                advance()
            } else {
                return
            }
        }
    }

    private mutating func value(depth: Int) throws(JSON5Error) -> JSON5Value {
        guard depth < Self.depthLimit else {
            throw error("values are nested more than \(Self.depthLimit) deep")
        }
        let start = position
        switch peek {
        case "{":
            return JSON5Value(kind: .object(try object(depth: depth)), position: start)
        case "[":
            return JSON5Value(kind: .array(try array(depth: depth)), position: start)
        case "\"", "'":
            return JSON5Value(kind: .string(try string()), position: start)
        case let scalar?
        where scalar.properties.isIDStart || "+-.0123456789".unicodeScalars.contains(scalar):
            return JSON5Value(kind: try literal(), position: start)
        default:
            throw error("expected a value, but found \(found)")
        }
    }

    private mutating func object(depth: Int) throws(JSON5Error) -> [JSON5Value.Member] {
        let start = position
        var members: [JSON5Value.Member] = []
        var seen: Set<String> = []
        advance()
        while true {
            try skipBlanks()
            if peek == "}" { break }
            let place = position
            let key = try self.key(openedAt: start)
            guard seen.insert(key).inserted else {
                throw error("the key '\(key)' appears twice", at: place)
            }
            try skipBlanks()
            guard peek == ":" else {
                throw error("expected ':' after the key '\(key)', but found \(found)")
            }
            advance()
            try skipBlanks()
            let value = try self.value(depth: depth + 1)
            members.append(JSON5Value.Member(key: key, position: place, value: value))
            try separator(closing: "}", openedAt: start)
        }
        advance()
        return members
    }

    private mutating func array(depth: Int) throws(JSON5Error) -> [JSON5Value] {
        let start = position
        var values: [JSON5Value] = []
        advance()
        while true {
            try skipBlanks()
            if peek == "]" { break }
            if peek == nil { throw error("this '[' has no closing ']'", at: start) }
            values.append(try value(depth: depth + 1))
            try separator(closing: "]", openedAt: start)
        }
        advance()
        return values
    }

    private mutating func separator(
        closing: Unicode.Scalar, openedAt start: TextPosition
    ) throws(JSON5Error) {
        try skipBlanks()
        if peek == "," { return advance() }
        if peek == closing { return }
        if peek == nil {
            throw error(
                "this '\(closing == "}" ? "{" : "[")' has no closing '\(closing)'", at: start)
        }
        throw error("expected ',' or '\(closing)', but found \(found)")
    }

    private mutating func key(openedAt start: TextPosition) throws(JSON5Error) -> String {
        if peek == "\"" || peek == "'" { return try string() }
        var key = String.UnicodeScalarView()
        while let scalar = peek,
            scalar == "_" || scalar == "$"
                || (key.isEmpty
                    ? scalar.properties.isIDStart : scalar.properties.isIDContinue)
        {
            key.append(scalar)
            advance()
        }
        if key.isEmpty {
            if peek == nil { throw error("this '{' has no closing '}'", at: start) }
            throw error("expected a key, but found \(found)")
        }
        return String(key)
    }

    private mutating func string() throws(JSON5Error) -> String {
        let start = position
        let quote = peek
        var result = String.UnicodeScalarView()
        advance()
        while peek != quote {
            guard let scalar = peek, scalar != "\n", scalar != "\r" else {
                throw error("this text has no closing quote", at: start)
            }
            advance()
            if scalar == "\\" {
                if let escaped = try escape() { result.append(escaped) }
            } else {
                result.append(scalar)
            }
        }
        advance()
        return String(result)
    }

    /// The character for an escape after a backslash; nil for a continued line.
    private mutating func escape() throws(JSON5Error) -> Unicode.Scalar? {
        guard let scalar = peek else { throw error("a backslash ends the file") }
        let place = position
        advance()
        switch scalar {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "v": return "\u{B}"
        case "0": return "\0"
        case "x": return Unicode.Scalar(try hexadecimal(digits: 2))
        case "u":
            var code = try hexadecimal(digits: 4)
            if (0xD800..<0xDC00).contains(code), peek == "\\", next == "u" {
                advance()
                advance()
                let low = try hexadecimal(digits: 4)
                if (0xDC00..<0xE000).contains(low) {
                    code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
                }
            }
            guard let decoded = Unicode.Scalar(code) else {
                throw error("\\u\(String(code, radix: 16)) is not a character", at: place)
            }
            return decoded
        case "\r":
            if peek == "\n" { advance() }
            return nil
        case "\n", "\u{2028}", "\u{2029}": return nil
        case "1"..."9": throw error("'\\\(scalar)' is not a JSON5 escape", at: place)
        default: return scalar
        }
    }

    private mutating func hexadecimal(digits: Int) throws(JSON5Error) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<digits {
            guard let scalar = peek, let digit = Character(scalar).hexDigitValue else {
                throw error("expected \(digits) hexadecimal digits, but found \(found)")
            }
            code = code << 4 + UInt32(digit)
            advance()
        }
        return code
    }

    /// Reads a number, or one of `true`, `false`, `null`, `Infinity` and `NaN`.
    private mutating func literal() throws(JSON5Error) -> JSON5Value.Kind {
        let start = position
        var text = ""
        while let scalar = peek,
            scalar.properties.isIDContinue || "+-.".unicodeScalars.contains(scalar)
        {
            text.unicodeScalars.append(scalar)
            advance()
        }
        switch text {
        case "true": return .flag(true)
        case "false": return .flag(false)
        case "null": return .null
        default: break
        }
        guard let number = JSON5Number.value(of: text) else {
            let shown = text.prefix(40)
            throw error(
                "'\(shown)' is not a value; text needs quotes, as in \"\(shown)\"", at: start)
        }
        return .number(number)
    }
}

/// The numbers of JSON5.
private enum JSON5Number {
    /// The number in `text`; nil for any other text.
    static func value(of text: String) -> Double? {
        var digits = Substring(text)
        var sign = 1.0
        if let first = digits.first, first == "+" || first == "-" {
            sign = first == "-" ? -1 : 1
            digits = digits.dropFirst()
        }
        if digits == "Infinity" { return sign * .infinity }
        if digits == "NaN" { return .nan }
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
            let hexadecimal = digits.dropFirst(2)
            guard hexadecimal.allSatisfy(\.isHexDigit) else { return nil }
            return UInt64(hexadecimal, radix: 16).map { sign * Double($0) }
        }
        guard let first = digits.first, first == "." || ("0"..."9").contains(first),
            digits.allSatisfy({ "0123456789.eE+-".contains($0) }),
            !(digits.count > 1 && first == "0" && ("0"..."9").contains(digits.dropFirst().first!))
        else { return nil }
        // Swift's Double accepts neither `5.` nor `.5`, but JSON5 does.
        let parts = digits.split(
            maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { "eE".contains($0) })
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard mantissa.count <= 2, mantissa.contains(where: { !$0.isEmpty }) else { return nil }
        let whole = mantissa[0].isEmpty ? "0" : mantissa[0]
        let fraction = mantissa.count == 2 && !mantissa[1].isEmpty ? mantissa[1] : "0"
        let exponent = parts.count == 2 ? "e" + parts[1] : ""
        return Double("\(whole).\(fraction)\(exponent)").map { sign * $0 }
    }
}
