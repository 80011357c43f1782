import CaptureKit
import Testing

/// BMP files that no available program writes, byte by byte.
@Suite struct BMPTests {
    /// A picture with a palette of black and red, its bottom row first.
    private static func picture(
        width: Int, height: Int, bits: Int, compression: Int = 0, _ pixels: [UInt8]
    ) -> [UInt8] {
        let start = 14 + 40 + 8
        return Array("BM".utf8) + little32(start + pixels.count) + little32(0) + little32(start)
            + little32(40) + little32(width) + little32(height) + little16(1) + little16(bits)
            + little32(compression) + little32(pixels.count) + little32(0) + little32(0)
            + little32(2) + little32(0) + [0, 0, 0, 0, 0, 0, 255, 0] + pixels
    }

    private static func page(_ bytes: [UInt8]) async throws -> Recording.Page {
        let scratch = try Scratch()
        return try #require(try await record(scratch.file("a.bmp", bytes)).pages.first)
    }

    private static let damaged = [
        "The file is damaged; the page shows what could be read of it."
    ]

    @Test("Pixels with colors beyond the palette become black, and the page reports it")
    func missingColor() async throws {
        let page = try await Self.page(
            Self.picture(width: 4, height: 1, bits: 8, [1, 0, 1, 9]))
        #expect(page.bytes == [255, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0])
        #expect(page.description.problems == Self.damaged)
    }

    @Test("Runs that go beyond their row are cut off, and the page reports it")
    func longRun() async throws {
        let page = try await Self.page(
            Self.picture(width: 3, height: 1, bits: 8, compression: 1, [9, 1, 0, 1]))
        #expect(page.bytes == [255, 0, 0, 255, 0, 0, 255, 0, 0])
        #expect(page.description.problems == Self.damaged)
    }

    @Test("The pixel that fills an odd row's last byte is not an error")
    func filledByte() async throws {
        let page = try await Self.page(
            Self.picture(width: 3, height: 1, bits: 4, compression: 2, [4, 0x11, 0, 1]))
        #expect(page.bytes == [255, 0, 0, 255, 0, 0, 255, 0, 0])
        #expect(page.description.problems == nil)
    }

    @Test("Pixels that runs leave out have the palette's first color, and missing rows are white")
    func leftOut() async throws {
        // A red pixel, a move to the third pixel of the next row, a red one, and the end of the
        // row.
        let page = try await Self.page(
            Self.picture(
                width: 3, height: 3, bits: 8, compression: 1, [1, 1, 0, 2, 1, 1, 1, 1, 0, 0]))
        let (red, black, white): ([UInt8], [UInt8], [UInt8]) = (
            [255, 0, 0], [0, 0, 0], [255, 255, 255]
        )
        let rows = [white + white + white, black + black + red, red + black + black]
        #expect(page.bytes == rows.flatMap { $0 })
        #expect(page.description.problems == Self.damaged)
    }

    @Test("A fully transparent picture shows its colors, and the page reports it")
    func allClear() async throws {
        let start = 14 + 108
        var bytes = Array("BM".utf8) + little32(start + 8) + little32(0) + little32(start)
        bytes += little32(108) + little32(2) + little32(1) + little16(1) + little16(32)
        bytes += little32(3) + [UInt8](repeating: 0, count: 20)
        for mask in [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000] { bytes += little32(mask) }
        bytes += [UInt8](repeating: 0, count: 108 - 56)
        let clear = try await Self.page(bytes + [3, 2, 1, 0, 6, 5, 4, 0])
        #expect(clear.bytes == [1, 2, 3, 4, 5, 6])
        #expect(
            clear.description.problems == [
                "The file marks its whole picture as transparent; the page shows its colors."
            ])
        let partly = try await Self.page(bytes + [3, 2, 1, 0, 6, 5, 4, 255])
        #expect(partly.bytes == [255, 255, 255, 4, 5, 6])
        #expect(partly.description.problems == nil)
    }

    /// The primaries of sRGB according to its standard, in both notations, and a gamma in both
    /// notations.
    static let calibrated: [(places: [Double], gamma: Double)] = [
        ([0.64, 0.33, 0.03, 0.30, 0.60, 0.10, 0.15, 0.06, 0.79], 1 / 2.2),
        (
            [0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505], 2.2
        ),
    ]

    @Test("Calibrated colors equal to those of sRGB stay unchanged", arguments: calibrated)
    func calibratedColors(places: [Double], gamma: Double) async throws {
        let start = 14 + 108
        let samples: [UInt8] = [200, 120, 40]
        var bytes = Array("BM".utf8) + little32(start + 4) + little32(0) + little32(start)
        bytes += little32(108) + little32(1) + little32(1) + little16(1) + little16(24)
        bytes += [UInt8](repeating: 0, count: 24 + 16 + 4)
        for place in places { bytes += little32(Int(place * 1_073_741_824)) }
        for _ in 0..<3 { bytes += little32(Int(gamma * 65_536)) }
        // Blue, green, red, and a byte that pads the row.
        let page = try await Self.page(bytes + samples.reversed() + [0])
        #expect(page.description.problems == nil)
        #expect(difference(page.bytes, samples) <= 2)
    }
}
