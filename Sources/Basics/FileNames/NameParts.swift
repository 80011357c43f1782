/// The characters in bytes that need not be UTF-8, and the bytes that belong to no character.
struct NameParts<Bytes: Collection<UInt8>>: Sequence, IteratorProtocol {
    /// A character or a byte.
    enum Part {
        /// A character.
        case scalar(Unicode.Scalar)
        /// A byte that is not UTF-8.
        case byte(UInt8)
    }

    private var rest: Bytes.SubSequence

    init(_ bytes: Bytes) { rest = bytes[...] }

    mutating func next() -> Part? {
        guard let first = rest.first else { return nil }
        let length =
            switch first {
            case ..<0x80: 1
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        var decoder = UTF8()
        var source = rest.prefix(length).makeIterator()
        guard length > 0, rest.prefix(length).count == length,
            case .scalarValue(let scalar) = decoder.decode(&source),
            UTF8.encode(scalar)?.count == length
        else {
            rest = rest.dropFirst()
            return .byte(first)
        }
        rest = rest.dropFirst(length)
        return .scalar(scalar)
    }
}
