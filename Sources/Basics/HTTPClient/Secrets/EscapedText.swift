/// A text whose escapes are resolved step by step, with each byte's place in the original.
///
/// The escapes are those of URLs (`%2F`), JSON and C (`\u002f`, `\x2f`, `\/`) and HTML (`&#47;`,
/// `&#x2f;`, `&amp;`).
package struct EscapedText {
    /// The text with escapes resolved so far.
    package private(set) var bytes: [UInt8]
    /// The places where each byte begins in the original, and finally where the text ends.
    package private(set) var starts: [Int]
    private var rounds = 0

    /// The number of levels of nested escapes that are resolved.
    private static let mostRounds = 3
    private static let names: [String: UInt8] = [
        "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"),
        "quot": UInt8(ascii: "\""), "apos": UInt8(ascii: "'"), "sol": UInt8(ascii: "/"),
        "plus": UInt8(ascii: "+"), "equals": UInt8(ascii: "="),
    ]

    /// A text in its original form.
    package init(_ text: ArraySlice<UInt8>) {
        bytes = Array(text)
        starts = Array(text.startIndex...text.endIndex)
    }

    /// Resolves one more layer of escapes; false when there is none.
    package mutating func unescape() -> Bool {
        guard rounds < Self.mostRounds else { return false }
        rounds += 1
        var (result, places): ([UInt8], [Int]) = ([], [])
        var isNew = false
        var index = 0
        while index < bytes.count {
            let (letters, count) = escape(at: index) ?? ([bytes[index]], 1)
            if count > 1 { isNew = true }
            result += letters
            places += [Int](repeating: starts[index], count: letters.count)
            index += count
        }
        places.append(starts[bytes.count])
        (bytes, starts) = (result, places)
        return isNew
    }

    /// The letters and the length of the escape at an index; nil for no escape.
    private func escape(at index: Int) -> (letters: [UInt8], count: Int)? {
        switch bytes[index] {
        case UInt8(ascii: "%"):
            return number(at: index + 1, digits: 2, base: 16).map { ([UInt8($0)], 3) }
        case UInt8(ascii: "\\"): return backslash(at: index)
        case UInt8(ascii: "&"): return entity(at: index)
        default: return nil
        }
    }

    private func backslash(at index: Int) -> ([UInt8], Int)? {
        guard index + 1 < bytes.count else { return nil }
        switch bytes[index + 1] {
        case UInt8(ascii: "u"):
            return number(at: index + 2, digits: 4, base: 16).map { (utf8($0), 6) }
        case UInt8(ascii: "x"):
            return number(at: index + 2, digits: 2, base: 16).map { ([UInt8($0)], 4) }
        case 0x21...0x2f, 0x3a...0x40, 0x5b...0x60, 0x7b...0x7e: return ([bytes[index + 1]], 2)
        default: return nil
        }
    }

    private func entity(at index: Int) -> ([UInt8], Int)? {
        let most = bytes[(index + 1)..<min(bytes.count, index + 11)]
        guard let end = most.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = bytes[(index + 1)..<end]
        let count = end - index + 1
        guard name.first == UInt8(ascii: "#") else {
            return Self.names[String(decoding: name, as: UTF8.self)].map { ([$0], count) }
        }
        let isHexadecimal = [UInt8(ascii: "x"), UInt8(ascii: "X")].contains(name.dropFirst().first)
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        return number(
            at: digits.startIndex, digits: digits.count, base: isHexadecimal ? 16 : 10
        ).map { (utf8($0), count) }
    }

    /// The number of this many digits at a place; nil where there is none.
    private func number(at index: Int, digits: Int, base: Int) -> Int? {
        guard (1...8).contains(digits), index + digits <= bytes.count else { return nil }
        let text = bytes[index..<(index + digits)]
        guard text.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else {
            return nil
        }
        return Int(String(decoding: text, as: UTF8.self), radix: base)
    }

    private func utf8(_ number: Int) -> [UInt8] {
        UInt32(exactly: number).flatMap(Unicode.Scalar.init).map { Array(String($0).utf8) } ?? []
    }
}
