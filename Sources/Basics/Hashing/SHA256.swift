import CNettle

/// The SHA-256 hash (FIPS 180-4) of bytes that arrive piece by piece, with nettle's
/// `sha256_update`.
package struct SHA256 {
    private var context = sha256_ctx()

    /// The hash of no bytes.
    package init() { nettle_sha256_init(&context) }

    /// Adds bytes at the end.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        nettle_sha256_update(
            &context, bytes.count, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }

    /// The hash of all bytes so far, as 64 lowercase hexadecimal digits.
    package mutating func hexadecimal() -> String { hexadecimalDigits(digest()) }

    /// The hash of all bytes so far, 32 bytes.
    package mutating func digest() -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 32)
        nettle_sha256_digest(&context, result.count, &result)
        return result
    }
}

/// Two lowercase hexadecimal digits for each byte.
package func hexadecimalDigits(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
        decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
