/// Reads and changes the color information in a JPEG file's segments before the picture
/// (ICC.1:2022, annex B.4; Exif 2.32).
public enum JPEGColors {
    /// The colors of a file; nil for sRGB, which is assumed when nothing names them.
    public static func source(of bytes: UnsafeRawBufferPointer) -> ColorSource? {
        var chunks: [Int: Range<Int>] = [:]
        var total: Int?
        var isAdobeRGB = false
        var isWhole = true
        forEachSegment(of: bytes) { marker, segment, body in
            if isExif(marker, body, bytes) {
                isAdobeRGB = ExifColors.isAdobeRGB(
                    UnsafeRawBufferPointer(rebasing: bytes[(body.lowerBound + 6)..<body.upperBound])
                )
            }
            guard isProfile(marker, body, bytes) else { return }
            let number = Int(bytes[body.lowerBound + 12])
            let count = Int(bytes[body.lowerBound + 13])
            isWhole = isWhole && chunks[number] == nil && (total ?? count) == count
            total = count
            chunks[number] = body.lowerBound + 14..<body.upperBound
        }
        guard let total else { return isAdobeRGB ? .adobeRGB : nil }
        guard isWhole, total > 0, chunks.count == total,
            (1...total).allSatisfy({ chunks[$0] != nil })
        else { return .fault(.damaged) }
        return .profile((1...total).flatMap { bytes[chunks[$0]!] })
    }

    /// The file without its color information; its picture is the same.
    public static func removed(from bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { raw in
            let isAdobeRGB = if case .adobeRGB = source(of: raw) { true } else { false }
            var result: [UInt8] = []
            result.reserveCapacity(raw.count)
            var kept = 0
            forEachSegment(of: raw) { marker, segment, body in
                guard isProfile(marker, body, raw) || (isAdobeRGB && isExif(marker, body, raw))
                else { return }
                result += raw[kept..<segment.lowerBound]
                kept = segment.upperBound
            }
            return result + raw[kept...]
        }
    }

    /// The file with a profile instead of its earlier color information; its picture is the same.
    ///
    /// - Returns: the file without any profile if that would take more than the 255 possible
    ///   segments.
    public static func replaced(in bytes: [UInt8], by profile: [UInt8]) -> [UInt8] {
        let plain = removed(from: bytes)
        let room = 65_535 - 2 - 14
        let count = (profile.count + room - 1) / room
        guard (1...255).contains(count) else { return plain }
        var segments: [UInt8] = []
        for number in 1...count {
            let part = profile[((number - 1) * room)..<min(number * room, profile.count)]
            let length = 2 + 14 + part.count
            segments += [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)]
            segments += Array("ICC_PROFILE\0".utf8) + [UInt8(number), UInt8(count)] + part
        }
        // JFIF's segment must stay the first one.
        var start = 2
        if plain.count > 6, plain[2] == 0xFF, plain[3] == 0xE0 {
            start = min(plain.count, 4 + (Int(plain[4]) << 8 | Int(plain[5])))
        }
        return plain[..<start] + segments + plain[start...]
    }

    private static func isProfile(
        _ marker: UInt8, _ body: Range<Int>, _ bytes: UnsafeRawBufferPointer
    ) -> Bool {
        marker == 0xE2 && body.count > 14
            && bytes[body.lowerBound..<body.lowerBound + 12].elementsEqual("ICC_PROFILE\0".utf8)
    }

    private static func isExif(
        _ marker: UInt8, _ body: Range<Int>, _ bytes: UnsafeRawBufferPointer
    ) -> Bool {
        marker == 0xE1 && body.count > 14
            && bytes[body.lowerBound..<body.lowerBound + 6].elementsEqual("Exif\0\0".utf8)
    }

    /// Visits the segments before the picture's data: the marker, the range of the segment, and the
    /// range of its body.
    private static func forEachSegment(
        of bytes: UnsafeRawBufferPointer,
        _ body: (_ marker: UInt8, _ segment: Range<Int>, _ body: Range<Int>) -> Void
    ) {
        var offset = 2
        while offset + 4 <= bytes.count {
            let marker = bytes[offset + 1]
            // Some files have stray bytes between segments, or extra FF bytes before a marker.
            guard bytes[offset] == 0xFF, marker != 0, marker != 0xFF, marker != 0x01,
                !(0xD0...0xD8).contains(marker)
            else {
                offset += 1
                continue
            }
            if marker == 0xD9 || marker == 0xDA { return }
            let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
            guard length >= 2, offset + 2 + length <= bytes.count else { return }
            let end = offset + 2 + length
            body(marker, offset..<end, (offset + 4)..<end)
            offset = end
        }
    }
}
