/// The eight bytes before every message between host and helper: a mark and the length of what
/// follows.
package enum FrameHeader {
    package static let byteCount = 8
    /// More than the text of any page; a longer announcement is nonsense.
    package static let longestMessage = 64 << 20
    private static let mark: UInt32 = 0x3152_5343  // "CSR1"

    package static func bytes(announcing count: Int) -> [UInt8] {
        precondition((0...longestMessage).contains(count))
        var bytes: [UInt8] = []
        for word in [mark, UInt32(count)] {
            for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        return bytes
    }

    /// The length that `bytes` announce, or nil when they are no header.
    package static func length(in bytes: [UInt8]) -> Int? {
        guard bytes.count == byteCount else { return nil }
        func word(at start: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
        }
        let length = Int(word(at: 4))
        guard word(at: 0) == mark, length <= longestMessage else { return nil }
        return length
    }
}
