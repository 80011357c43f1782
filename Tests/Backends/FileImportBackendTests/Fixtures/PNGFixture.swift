/// Writes PNG files by hand (PNG, third edition), the picture in stored blocks of zlib (RFC 1950,
/// RFC 1951 3.2.4).
struct PNGFixture {
    var width: Int
    var height: Int
    var depth: Int
    /// 0 gray, 2 color, 3 palette, 4 gray and alpha, 6 color and alpha.
    var colorType: Int
    /// Rows without their filter bytes, or the passes of an interlaced picture.
    var rows: [[UInt8]]
    var interlaced = false
    /// Chunks between the header and the picture.
    var extra: [(name: StaticString, body: [UInt8])] = []

    func bytes() -> [UInt8] {
        let header =
            big32(width) + big32(height) + [
                UInt8(depth), UInt8(colorType), 0, 0, interlaced ? 1 : 0,
            ]
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        var file = signature + Self.chunk("IHDR", header)
        for one in extra { file += Self.chunk(one.name, one.body) }
        return file + Self.chunk("IDAT", Self.zlib(rows.flatMap { [0] + $0 }))
            + Self.chunk("IEND", [])
    }

    static func chunk(_ name: StaticString, _ body: [UInt8]) -> [UInt8] {
        let tagged = name.withUTF8Buffer { Array($0) } + body
        return big32(body.count) + tagged + big32(Int(crc(tagged)))
    }

    /// Stored blocks of zlib.
    static func zlib(_ data: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let end = min(start + 65_535, data.count)
            let count = end - start
            result += [end == data.count ? 1 : 0] + little16(count) + little16(~count & 0xFFFF)
            result += data[start..<end]
            start = end
        } while start < data.count
        var (a, b) = (1, 0)
        for byte in data {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return result + big16(b) + big16(a)
    }

    private static func crc(_ data: [UInt8]) -> UInt32 {
        ~data.reduce(~0) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in
                value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
            }
        }
    }
}
