/// Reads numbers from untrusted bytes; reading beyond their end gives nil.
struct ByteReader {
    /// The bytes to read.
    let bytes: UnsafeRawBufferPointer

    /// The number of bytes.
    var count: Int { bytes.count }

    /// The byte at `offset`; nil beyond the end.
    func byte(_ offset: Int) -> Int? {
        offset >= 0 && offset < bytes.count ? Int(bytes[offset]) : nil
    }

    /// The big-endian 16-bit number at `offset`.
    func big16(_ offset: Int) -> Int? {
        guard let high = byte(offset), let low = byte(offset + 1) else { return nil }
        return high << 8 | low
    }

    /// The big-endian 32-bit number at `offset`.
    func big32(_ offset: Int) -> Int? {
        guard let high = big16(offset), let low = big16(offset + 2) else { return nil }
        return high << 16 | low
    }

    /// The little-endian 16-bit number at `offset`.
    func little16(_ offset: Int) -> Int? {
        guard let low = byte(offset), let high = byte(offset + 1) else { return nil }
        return low | high << 8
    }

    /// The little-endian 24-bit number at `offset`.
    func little24(_ offset: Int) -> Int? {
        guard let low = little16(offset), let high = byte(offset + 2) else { return nil }
        return low | high << 16
    }

    /// The little-endian 32-bit number at `offset`.
    func little32(_ offset: Int) -> Int? {
        guard let a = byte(offset), let b = byte(offset + 1), let c = byte(offset + 2),
            let d = byte(offset + 3)
        else { return nil }
        return a | b << 8 | c << 16 | d << 24
    }

    /// True when the bytes at `offset` are `text`.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, bytes.count - offset >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(bytes[offset..<offset + $0.count]) }
    }

    /// The bytes of `range`, which must be within bounds.
    func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[range])
    }
}
