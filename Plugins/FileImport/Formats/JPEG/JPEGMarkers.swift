import CaptureKit

/// The markers of a JPEG file (ITU-T T.81, annex B; JFIF 1.02; Adobe technical note 5116; CIPA
/// DC-007 for several pictures in one file).
struct JPEGMarkers {
    /// The second byte of the frame marker: 0xC0 baseline, 0xC2 progressive.
    private(set) var frameMarker: Int?
    /// Components of the frame: 1 gray, 3 color, 4 inks.
    private(set) var components = 0
    /// Pixels in a row of the frame.
    private(set) var width = 0
    /// Rows of the frame; 0 if they are only stated at its end.
    private(set) var height = 0
    /// Dots per inch from the JFIF header.
    private(set) var resolution: Resolution?
    /// The range of the EXIF block, with its "Exif" header.
    private(set) var exif: Range<Int>?
    /// True for a file with Adobe's marker, in which inks are stored inverted.
    private(set) var hasAdobe = false
    /// The range of the index in a file with several pictures, beginning with its byte order.
    private(set) var pictureIndex: Range<Int>?
    /// The offset of the next picture, for example after a truncated one; nil if none begins before
    /// ``end``.
    private(set) var nextStart: Int?
    /// The offset after the end-of-image marker; nil when the file ends before it.
    private(set) var end: Int?

    /// Walks the markers of `bytes`.
    init(_ bytes: UnsafeRawBufferPointer) {
        let reader = ByteReader(bytes: bytes)
        var offset = 2
        while let marker = Self.nextMarker(reader, from: &offset) {
            switch marker {
            case 0xD9:
                end = offset
                return
            case 0xD8:
                if nextStart == nil { nextStart = offset - 2 }
            case 0x01, 0xD0...0xD7:
                continue
            default:
                guard let length = reader.big16(offset), length >= 2,
                    offset + length <= reader.count
                else { return }
                read(marker, reader, (offset + 2)..<(offset + length))
                offset += length
            }
        }
    }

    /// Finds the next marker and moves past it, over entropy-coded data, where FF is followed by
    /// 00 or a restart marker.
    private static func nextMarker(_ reader: ByteReader, from offset: inout Int) -> Int? {
        let bytes = reader.bytes
        let last = bytes.count - 1
        while offset < last {
            let next = bytes[offset + 1]
            if bytes[offset] == 0xFF, next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) {
                offset += 2
                return Int(next)
            }
            offset += 1
        }
        return nil
    }

    private mutating func read(_ marker: Int, _ reader: ByteReader, _ body: Range<Int>) {
        let start = body.lowerBound
        switch marker {
        case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
            guard frameMarker == nil else { return }
            frameMarker = marker
            height = reader.big16(start + 1) ?? 0
            width = reader.big16(start + 3) ?? 0
            components = reader.byte(start + 5) ?? 0
        case 0xE0 where reader.has("JFIF\0", at: start) && body.count >= 12:
            guard let unit = reader.byte(start + 7), let x = reader.big16(start + 8),
                let y = reader.big16(start + 10), unit == 1 || unit == 2
            else { return }
            let scale = unit == 2 ? 2.54 : 1
            resolution = plausible(x: Double(x) * scale, y: Double(y) * scale)
        case 0xE1 where reader.has("Exif\0", at: start) && exif == nil:
            exif = body
        case 0xE2 where reader.has("MPF\0", at: start):
            pictureIndex = start + 4..<body.upperBound
        case 0xEE where reader.has("Adobe", at: start):
            hasAdobe = true
        default:
            return
        }
    }

    /// True for baseline and progressive Huffman-coded frames, which every PDF viewer and browser
    /// decodes.
    var isCommonFrame: Bool { frameMarker == 0xC0 || frameMarker == 0xC2 }

    /// True for frames whose blocks take at least one bit.
    var isHuffmanCoded: Bool { frameMarker.map { (0xC0...0xC2).contains($0) } ?? false }
}
