/// A picture of an animated WebP file (RFC 9649, 2.7.1.1).
struct WebPFrame {
    /// The frame's left edge on the canvas.
    let x: Int
    let y: Int
    /// True where its colors are coded with loss.
    let isLossy: Bool
    /// The frame's chunks: its alpha, if separate, and its picture.
    let data: [UInt8]
    private let size: ArraySlice<UInt8>

    /// Reads the body of an `ANMF` chunk; nil where it is cut short.
    init?(_ reader: ByteReader, _ body: Range<Int>) {
        let headLength = 16
        guard body.count > headLength + 8, let x = reader.little24(body.lowerBound),
            let y = reader.little24(body.lowerBound + 3)
        else { return nil }
        self.x = 2 * x
        self.y = 2 * y
        // Width and height minus one, in 24 bits each, as in the header of a still file.
        size = Array(reader.slice(body.lowerBound + 6..<body.lowerBound + 12))[...]
        let start = body.lowerBound + headLength
        data = Array(reader.slice(start..<body.upperBound))
        var place = start
        var isLossy = false
        while let length = reader.little32(place + 4), place < body.upperBound {
            if reader.has("VP8 ", at: place) { isLossy = true }
            place += 8 + length + length & 1
        }
        self.isLossy = isLossy
    }

    /// The frame as a separate file, with alpha allowed.
    var file: [UInt8] {
        let hasAlpha: UInt8 = 0x10
        let head = ascii("WEBPVP8X") + little32(10) + [hasAlpha, 0, 0, 0] + size
        return ascii("RIFF") + little32(head.count + data.count) + head + data
    }

    private func little32(_ number: Int) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
