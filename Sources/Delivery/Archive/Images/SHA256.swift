import CNettle
import Glibc

/// The SHA-256 hash (FIPS 180-4) of an image file, which is its name in the archive.
public struct ImageHash: Hashable, Sendable {
    /// Its 32 bytes.
    public let bytes: [UInt8]

    /// The hash of a file's bytes, with nettle's `sha256_update`.
    public init(of file: [UInt8]) {
        var hasher = SHA256()
        file.withUnsafeBytes { hasher.update($0) }
        bytes = hasher.digest()
    }

    /// A hash as it was stored; nil unless it has 32 bytes.
    init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// A hash from its 64 lowercase hexadecimal digits; nil for anything else.
    public init?(hexadecimal name: some StringProtocol) {
        let digits = Array(name.utf8)
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 64, by: 2) {
            guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1])
            else { return nil }
            bytes.append(high << 4 | low)
        }
        self.bytes = bytes
    }

    /// 64 hexadecimal digits.
    public var hexadecimal: String { hexadecimalDigits(bytes) }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// nettle's SHA-256, fed piece by piece.
package struct SHA256 {
    private var context = sha256_ctx()

    package init() { nettle_sha256_init(&context) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        nettle_sha256_update(
            &context, bytes.count, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }

    /// The hash of all bytes so far, as 64 lowercase hexadecimal digits.
    package mutating func hexadecimal() -> String { hexadecimalDigits(digest()) }

    mutating func digest() -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 32)
        nettle_sha256_digest(&context, result.count, &result)
        return result
    }
}

private func hexadecimalDigits(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
        decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
