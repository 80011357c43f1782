import Hashing

/// The SHA-256 hash (FIPS 180-4) of an image file, which is its name in the archive.
public struct ImageHash: Hashable, Sendable {
    /// Its 32 bytes.
    public let bytes: [UInt8]

    /// The hash of a file's bytes.
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

/// An image that is being added.
struct NewImage: Hashable, Sendable {
    let hash: ImageHash
    let bytes: Int
    /// The image's media type, such as `image/jpeg`.
    let media: String
}
