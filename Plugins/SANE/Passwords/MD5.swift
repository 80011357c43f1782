import Glibc

/// The MD5 hash (RFC 1321), which SANE's network protocol uses for passwords.
///
/// It is too weak for any other use.
enum MD5 {
    private static let shifts: [UInt32] = [
        7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21,
    ]
    private static let sines: [UInt32] = (0..<64).map {
        UInt32(abs(sin(Double($0 + 1))) * 4_294_967_296)
    }

    /// The hash of `message` as 32 lowercase hexadecimal digits.
    static func hexadecimal(_ message: [UInt8]) -> String {
        var padded = message + [0x80]
        while padded.count % 64 != 56 { padded.append(0) }
        let bits = UInt64(message.count) &* 8
        for byte in 0..<8 { padded.append(UInt8(truncatingIfNeeded: bits >> (8 * byte))) }

        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
        for block in stride(from: 0, to: padded.count, by: 64) {
            mix(padded[block..<block + 64], into: &state)
        }
        let digits = Array("0123456789abcdef")
        var text = ""
        for word in state {
            for byte in 0..<4 {
                let value = Int(word >> (8 * byte) & 0xff)
                text.append(digits[value >> 4])
                text.append(digits[value & 15])
            }
        }
        return text
    }

    private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        let words = (0..<16).map { word in
            (0..<4).reduce(UInt32(0)) {
                $0 | UInt32(block[block.startIndex + 4 * word + $1]) << (8 * $1)
            }
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for step in 0..<64 {
            let (function, word) =
                switch step / 16 {
                case 0: ((b & c) | (~b & d), step)
                case 1: ((d & b) | (~d & c), (5 * step + 1) % 16)
                case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                default: (c ^ (b | ~d), (7 * step) % 16)
                }
            let sum = a &+ function &+ sines[step] &+ words[word]
            let shift = shifts[4 * (step / 16) + step % 4]
            (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
    }
}
