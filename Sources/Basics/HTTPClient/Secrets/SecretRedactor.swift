/// Replaces the secrets that we sent in a service's answers, whatever form they have there.
///
/// A service may repeat a request in an error message: unchanged, as a part of a URL, of JSON or of
/// HTML, in other case, in base64 or in hexadecimal digits. Secrets with fewer bytes than
/// ``shortest`` occur in any text, so they are replaced only as a part of a longer form, such as
/// `user:password`.
package struct SecretRedactor: Hashable, Sendable {
    /// The minimum number of bytes of a secret that is replaced outside of a longer form.
    package static let shortest = 4
    /// The text that replaces a secret.
    static let replacement = "[secret]"
    /// A redactor that knows no secret.
    package static let none = SecretRedactor([])

    /// All forms to replace, without spaces and in lower case.
    private let forms: Set<[UInt8]>
    private let beginnings: Set<UInt8>
    private let longest: Int

    /// The bytes that are searched at once, so that a long answer does not need many times its
    /// memory.
    private static let portion = 1 << 16
    /// The maximum number of bytes for one byte of a secret after escaping it twice.
    private static let mostGrowth = 24

    /// A redactor of these secrets, in all their forms.
    package init(_ secrets: [String]) {
        var forms: Set<[UInt8]> = []
        for secret in secrets { forms.formUnion(SecretForms.all(of: secret)) }
        self.forms = Set(
            forms.map { $0.compactMap(Self.comparable) }.filter { $0.count >= Self.shortest })
        beginnings = Set(self.forms.compactMap(\.first))
        longest = self.forms.map(\.count).max() ?? 0
    }

    /// True when there is nothing to look for.
    package var isEmpty: Bool { forms.isEmpty }

    /// The text with every secret replaced.
    ///
    /// - Parameter isCut: true when the text may end in the middle of a secret, whose beginning is
    ///   then replaced, too.
    package func redacted(_ text: String, isCut: Bool = false) -> String {
        guard !isEmpty else { return text }
        let bytes = Array(text.utf8)
        let clean = redacted(bytes, isCut: isCut)
        return clean == bytes ? text : String(decoding: clean, as: UTF8.self)
    }

    /// The bytes with every secret replaced.
    package func redacted(_ bytes: [UInt8], isCut: Bool = false) -> [UInt8] {
        let ranges = isEmpty ? [] : ranges(in: bytes, isCut: isCut)
        guard !ranges.isEmpty else { return bytes }
        var result: [UInt8] = []
        var end = 0
        for range in ranges where range.upperBound > end {
            if range.lowerBound >= end {
                result += bytes[end..<range.lowerBound]
                result += Array(Self.replacement.utf8)
            }
            end = range.upperBound
        }
        return result + bytes[end...]
    }

    // MARK: Searching

    /// The ranges of secrets, by the places where they begin.
    private func ranges(in bytes: [UInt8], isCut: Bool) -> [Range<Int>] {
        var found: [Range<Int>] = []
        let overlap = longest * Self.mostGrowth
        for start in stride(from: 0, to: max(bytes.count, 1), by: Self.portion) {
            let end = min(bytes.count, start + Self.portion + overlap)
            var text = EscapedText(bytes[start..<end])
            var isNew = true
            while isNew {
                found += ranges(in: text, isCut: isCut && end == bytes.count)
                isNew = text.unescape()
            }
        }
        return found.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    }

    private func ranges(in text: EscapedText, isCut: Bool) -> [Range<Int>] {
        var letters: [UInt8] = []
        var places: [Int] = []
        for (index, byte) in text.bytes.enumerated() {
            guard let letter = Self.comparable(byte) else { continue }
            letters.append(letter)
            places.append(index)
        }
        var found: [Range<Int>] = []
        for start in letters.indices where beginnings.contains(letters[start]) {
            let rest = letters[start...]
            for form in forms {
                let isHere = rest.starts(with: form)
                let isBegun =
                    isCut && rest.count >= Self.shortest && rest.count < form.count
                    && form.starts(with: rest)
                guard isHere || isBegun else { continue }
                let last = start + min(form.count, rest.count) - 1
                found.append(
                    text.starts[places[start]]..<text.starts[places[last] + 1])
            }
        }
        return found
    }

    /// The byte for comparisons: letters in lower case; nil for spaces and control characters, at
    /// which lines may be broken.
    private static func comparable(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 65...90: byte + 32
        case 0...32, 127: nil
        default: byte
        }
    }
}
