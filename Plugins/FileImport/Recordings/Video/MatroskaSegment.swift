/// The one large element of a Matroska file, which contains all others (RFC 9559, 8794).
struct MatroskaSegment {
    /// The place where the element ends, according to its header.
    let end: Int

    /// Reads the elements at a file's beginning; nil if they don't define its end, because the
    /// recorder did not know it.
    init?(_ head: [UInt8]) {
        guard let header = Self.size(head, at: 4),
            case let segment = header.end + header.value,
            head.dropFirst(segment).starts(with: [0x18, 0x53, 0x80, 0x67]),
            let body = Self.size(head, at: segment + 4)
        else { return nil }
        let (end, overflow) = body.end.addingReportingOverflow(body.value)
        guard !overflow else { return nil }
        self.end = end
    }

    /// The size written at `offset`, and where it ends; nil if there is none or it is given as
    /// unknown.
    private static func size(_ bytes: [UInt8], at offset: Int) -> (value: Int, end: Int)? {
        guard bytes.indices.contains(offset), bytes[offset] != 0 else { return nil }
        let count = bytes[offset].leadingZeroBitCount + 1
        guard offset + count <= bytes.count else { return nil }
        let digits = bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
        let most = (UInt64(1) << UInt64(7 * count)) - 1
        let value = digits & most
        return value == most ? nil : (Int(value), offset + count)
    }
}
