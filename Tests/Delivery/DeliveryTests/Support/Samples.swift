import Documents
import Imaging

@testable import Delivery

/// A generator that gives the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

let sampleInfo = DocumentInfo(title: "May", created: 1_777_627_800, language: "en")

/// A picture with dark bars on a light background; if it is bilevel, random dots.
func samplePicture(
    _ format: PixelFormat, width: Int = 620, height: Int = 877, resolution: Double = 75
) -> Raster {
    var generator = SeededGenerator(state: 7)
    var picture = Raster(width: width, height: height, format: format, resolution: resolution)
    let stride = picture.stride
    let rowBytes = format.minimumStride(width: width)
    picture.withMutableBytes { bytes in
        for row in 0..<height {
            for column in 0..<rowBytes {
                let isDark = row / 8 % 3 == 0 && column / 16 % 4 != 0
                let random = UInt8(truncatingIfNeeded: generator.next())
                bytes[row * stride + column] =
                    format == .bilevel ? random : isDark ? random >> 4 : 255 - random >> 5
            }
        }
    }
    return picture
}

/// A line of words side by side, beginning at `x`.
func sampleLine(
    _ words: [String], x: Int = 60, y: Int, height: Int = 12, letter: Int = 7, baseline: Bool = true
) -> TextLine {
    var left = x
    let placed = words.map { word in
        let box = Box(x: left, y: y, width: max(1, word.count) * letter, height: height)
        left += box.width + letter
        return Word(text: word, box: box, confidence: 0.875)
    }
    let box = Box(x: x, y: y, width: left - letter - x, height: height)
    let bottom = y + height - 3
    return TextLine(
        words: placed, box: box,
        baseline: baseline ? Baseline(x1: x, y1: bottom, x2: left, y2: bottom) : nil)
}

/// A text of one block and one paragraph.
func sampleText(_ lines: [TextLine], languages: [String] = ["eng"]) -> PageText {
    let box = Box(x: 50, y: 50, width: 500, height: 700)
    return PageText(
        blocks: [TextBlock(paragraphs: [Paragraph(lines: lines, box: box)], box: box)],
        languages: languages)
}

func samplePage(
    _ picture: Raster, number: Int = 1, text: PageText? = nil, originalJPEG: [UInt8]? = nil,
    resolution: Double = 75
) -> DeliveredPage {
    let step = StepReport(
        name: "deskew", summary: "turned by 0.7°", changed: true, measurements: ["angle": 0.7],
        milliseconds: 12.5)
    let page = Page(
        number: number, width: picture.width, height: picture.height, resolution: resolution,
        text: text,
        provenance: Provenance(device: "file:inbox", label: "may \(number).jpg", steps: [step]),
        problems: ["the lower edge is cut"])
    return DeliveredPage(page: page, image: picture, originalJPEG: originalJPEG)
}

/// Writes a document and returns its place.
@discardableResult
func deliver(
    _ pages: [DeliveredPage], to path: String, info: DocumentInfo = sampleInfo,
    options: FileSinkOptions = FileSinkOptions(), disk: Disk = .live
) throws -> Receipt {
    let writer = try FileSink(path: path, options: options, disk: disk).begin(info)
    for page in pages { try writer.add(page) }
    return try writer.finish()
}

/// The error that a step throws, which must fail.
func failure(_ step: () throws -> Void) -> DeliveryError? {
    do {
        try step()
        return nil
    } catch {
        return error as? DeliveryError
    }
}

/// The bytes of the pixels, without the padding of rows.
func rows(of picture: Raster) -> [UInt8] {
    let count = picture.format.minimumStride(width: picture.width)
    var bytes = picture.withBytes { bytes in
        (0..<picture.height).flatMap {
            bytes[$0 * picture.stride..<$0 * picture.stride + count]
        }
    }
    // Bits after the last column of a bilevel row are undefined.
    if picture.format == .bilevel, picture.width % 8 != 0 {
        for row in 1...picture.height {
            bytes[row * count - 1] &= ~(UInt8.max >> UInt8(picture.width % 8))
        }
    }
    return bytes
}
