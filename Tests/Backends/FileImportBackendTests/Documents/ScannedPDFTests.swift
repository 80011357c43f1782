import CaptureKit
import Testing

/// Pages that consist of one picture are extracted, not rendered.
@Suite struct ScannedPDFTests {
    private static let width = 90
    private static let height = 60
    /// 90 × 60 pixels on 216 × 144 points are 30 dpi, which no renderer would choose.
    private static let size = (216, 144)

    /// Blocks of random gray, uneven enough to distinguish all eight orientations.
    private static func blocks(seed: UInt64, samples: Int) -> [UInt8] {
        var noise = Noise(seed: seed)
        let blocks = noise.bytes(9 * 6 * samples)
        return (0..<height).flatMap { y in
            (0..<width).flatMap { x in
                (0..<samples).map { blocks[((y / 10) * 9 + x / 10) * samples + $0] }
            }
        }
    }

    private func page(_ page: PDFFixture.Page) async throws -> Recording.Page {
        let scratch = try Scratch()
        return try #require(
            try await record(scratch.file("a.pdf", PDFFixture.bytes([page]))).pages.first)
    }

    private func expect(
        _ page: Recording.Page, is expected: [UInt8], _ format: FrameFormat,
        location: SourceLocation = #_sourceLocation
    ) {
        #expect(page.description.format == format, sourceLocation: location)
        #expect(mismatch(page.bytes, expected) == nil, sourceLocation: location)
        let resolution = page.description.resolution
        #expect(abs((resolution?.x ?? 0) - 30) < 0.1, sourceLocation: location)
        #expect(abs((resolution?.y ?? 0) - 30) < 0.1, sourceLocation: location)
    }

    @Test("Uncompressed gray and color are extracted pixel by pixel", arguments: [1, 3])
    func raw(samples: Int) async throws {
        let pixels = Self.blocks(seed: 41, samples: samples)
        let picture = PDFFixture.raw(
            width: Self.width, height: Self.height,
            space: samples == 1 ? "DeviceGray" : "DeviceRGB", pixels)
        let page = try await page(PDFFixture.scan(picture, size: Self.size))
        expect(page, is: pixels, samples == 1 ? .gray8 : .rgb8)
        #expect(page.original == nil)
    }

    @Test("One-bit pictures stay bilevel")
    func bilevel() async throws {
        let black = Self.blocks(seed: 42, samples: 1).map { $0 < 128 }
        let bits = packedBits(black.map { !$0 }, width: Self.width)
        let picture = PDFFixture.raw(
            width: Self.width, height: Self.height, bits: 1, space: "DeviceGray", bits)
        let page = try await page(PDFFixture.scan(picture, size: Self.size))
        expect(page, is: packedBits(black, width: Self.width), .bilevel)
    }

    @Test("A JPEG is extracted with its own bytes", arguments: [true, false])
    func jpeg(gray: Bool) async throws {
        let jpeg = try makeJPEG(
            width: Self.width, height: Self.height, gray: gray,
            pixels: Self.blocks(seed: 43, samples: gray ? 1 : 3))
        let picture = PDFFixture.jpeg(
            width: Self.width, height: Self.height, space: gray ? "DeviceGray" : "DeviceRGB", jpeg)
        let page = try await page(PDFFixture.scan(picture, size: Self.size))
        expect(
            page, is: try decodedJPEG(jpeg, width: Self.width, height: Self.height, gray: gray),
            gray ? .gray8 : .rgb8)
        #expect(page.original?.mediaType == "image/jpeg")
        #expect(mismatch(page.original?.bytes ?? [], jpeg) == nil)
    }

    @Test("A JPEG that was also deflated is extracted with its own bytes")
    func deflatedJPEG() async throws {
        let jpeg = try makeJPEG(
            width: Self.width, height: Self.height, gray: true,
            pixels: Self.blocks(seed: 53, samples: 1))
        let picture = PDFFixture.raw(
            width: Self.width, height: Self.height, space: "DeviceGray",
            more: "/Filter [/FlateDecode /DCTDecode]", PNGFixture.zlib(jpeg))
        let page = try await page(PDFFixture.scan(picture, size: Self.size))
        expect(
            page, is: try decodedJPEG(jpeg, width: Self.width, height: Self.height, gray: true),
            .gray8)
        #expect(mismatch(page.original?.bytes ?? [], jpeg) == nil)
    }

    @Test("A scan with a damaged JPEG is read as far as possible and reported; the rest is white")
    func damagedJPEG() async throws {
        var noise = Noise(seed: 55)
        let jpeg = try makeJPEG(
            width: Self.width, height: Self.height, gray: true,
            pixels: noise.bytes(Self.width * Self.height))
        let cut = Array(jpeg.prefix(jpeg.count / 2))
        let pages = [jpeg, cut, jpeg].map {
            PDFFixture.scan(
                PDFFixture.jpeg(
                    width: Self.width, height: Self.height, space: "DeviceGray", $0),
                size: Self.size)
        }
        let scratch = try Scratch()
        let path = try scratch.file("a.pdf", PDFFixture.bytes(pages))
        let recording = try await record(path)
        #expect(recording.pages.count == 3)
        #expect(
            recording.pages.map { $0.description.problems?.isEmpty == false }
                == [false, true, false])
        #expect(recording.pages[1].bytes.suffix(Self.width).allSatisfy { $0 == 255 })
        let strict = try await record(path, ["strict": .bool(true)])
        #expect(strict.pages.count == 2 && strict.skips.first?.code == .damagedData)
    }

    @Test("A damaged JPEG on a drawn page is reported")
    func damagedPicture() async throws {
        var noise = Noise(seed: 56)
        let jpeg = try makeJPEG(
            width: Self.width, height: Self.height, gray: true,
            pixels: noise.bytes(Self.width * Self.height))
        for isWhole in [true, false] {
            let bytes = isWhole ? jpeg : Array(jpeg.prefix(jpeg.count / 2))
            var page = PDFFixture.scan(
                PDFFixture.jpeg(
                    width: Self.width, height: Self.height, space: "DeviceGray", bytes),
                size: Self.size)
            page.content += " 1 0 0 rg 2 2 4 4 re f"
            let scratch = try Scratch()
            let drawn = try await record(scratch.file("a.pdf", PDFFixture.bytes([page])))
            #expect((drawn.pages.first?.description.problems == nil) == isWhole)
        }
    }

    @Test("A page of odd size has its picture's exact resolution")
    func oddSize() async throws {
        let stored = Self.blocks(seed: 54, samples: 1)
        let picture = PDFFixture.raw(
            width: Self.width, height: Self.height, space: "DeviceGray", stored)
        var fixture = PDFFixture.scan(
            picture, size: (301, 201), matrix: "300.4 0 0 200.4 0 0")
        fixture.more = "/CropBox [0 0 300.4 200.4]"
        let page = try await page(fixture)
        #expect(mismatch(page.bytes, stored) == nil)
        let resolution = try #require(page.description.resolution)
        #expect(abs(resolution.x - 90 * 72 / 300.4) < 0.001)
        #expect(abs(resolution.y - 60 * 72 / 200.4) < 0.001)
    }

    @Test("A JPEG's EXIF orientation is ignored in a PDF, as viewers do")
    func exif() async throws {
        let plain = try makeJPEG(
            width: Self.width, height: Self.height, gray: true,
            pixels: Self.blocks(seed: 44, samples: 1))
        let jpeg = addingExif(exifBlock(orientation: 6), to: plain)
        let picture = PDFFixture.jpeg(
            width: Self.width, height: Self.height, space: "DeviceGray", jpeg)
        let page = try await page(PDFFixture.scan(picture, size: Self.size))
        expect(
            page, is: try decodedJPEG(plain, width: Self.width, height: Self.height, gray: true),
            .gray8)
    }

    @Test(
        "A page that turns or mirrors its picture gives the picture turned or mirrored",
        arguments: [
            // matrix, page rotation, and the EXIF orientation that means the same
            ("216 0 0 144 0 0", 180, 3), ("-216 0 0 144 216 0", 0, 2), ("216 0 0 -144 0 144", 0, 4),
            ("216 0 0 144 0 0", 90, 6), ("216 0 0 144 0 0", 270, 8), ("-216 0 0 144 216 0", 90, 7),
        ])
    func turned(matrix: String, rotate: Int, orientation: Int) async throws {
        let stored = Self.blocks(seed: 45, samples: 1)
        let picture = PDFFixture.raw(
            width: Self.width, height: Self.height, space: "DeviceGray", stored)
        let page = try await page(
            PDFFixture.scan(picture, size: Self.size, matrix: matrix, rotate: rotate))
        expect(
            page,
            is: shown(stored, width: Self.width, height: Self.height, orientation: orientation),
            .gray8)
    }

    @Test("A page box that does not begin at 0 does not prevent extraction", arguments: [0, 90])
    func shiftedBox(rotate: Int) async throws {
        let stored = Self.blocks(seed: 52, samples: 1)
        let picture = PDFFixture.raw(
            width: Self.width, height: Self.height, space: "DeviceGray", stored)
        var fixture = PDFFixture.scan(
            picture, size: Self.size, matrix: "216 0 0 144 100 50", rotate: rotate)
        fixture.more = "/CropBox [100 50 316 194]"
        fixture.size = (500, 400)
        let page = try await page(fixture)
        expect(
            page,
            is: shown(
                stored, width: Self.width, height: Self.height, orientation: rotate == 0 ? 1 : 6),
            .gray8)
    }

    @Test("A JPEG that the page turns is decoded and turned, without its bytes")
    func turnedJPEG() async throws {
        let jpeg = try makeJPEG(
            width: Self.width, height: Self.height, gray: true,
            pixels: Self.blocks(seed: 46, samples: 1))
        let picture = PDFFixture.jpeg(
            width: Self.width, height: Self.height, space: "DeviceGray", jpeg)
        let page = try await page(PDFFixture.scan(picture, size: Self.size, rotate: 90))
        let stored = try decodedJPEG(jpeg, width: Self.width, height: Self.height, gray: true)
        expect(
            page, is: shown(stored, width: Self.width, height: Self.height, orientation: 6), .gray8)
        #expect(page.original == nil)
    }

    @Test("Invisible text over the picture does not prevent extraction")
    func invisibleText() async throws {
        let pixels = Self.blocks(seed: 47, samples: 1)
        let picture = PDFFixture.raw(
            width: Self.width, height: Self.height, space: "DeviceGray", pixels)
        let page = try await page(
            PDFFixture.scan(
                picture, size: Self.size, after: "BT 3 Tr /F1 24 Tf 20 40 Td (Hamburg) Tj ET"))
        expect(page, is: pixels, .gray8)
    }

    @Test(
        "With anything visible beside the picture, the page is rendered",
        arguments: [
            "BT 0 g /F1 10 Tf 20 40 Td (Paid) Tj ET", "1 0 0 rg 100 60 8 8 re f",
            "0 0 1 RG 1 w 10 70 m 60 90 l S",
        ])
    func stamped(after: String) async throws {
        let page = try await page(PDFFixture.scan(Self.coarse, size: Self.size, after: after))
        #expect(page.description.facts?.origin == .rendered)
        // A small mark does not change a scan's resolution.
        #expect(page.description.width == 300)
        #expect(page.description.resolution == Resolution(x: 100))
        #expect(page.bytes.contains { $0 < 100 })
    }

    /// A picture of 100 dpi on such a page.
    private static let coarse = PDFFixture.raw(
        width: 300, height: 200, space: "DeviceGray", [UInt8](repeating: 250, count: 300 * 200))

    @Test("Letters all over a coarse picture are drawn as finely as on other pages")
    func background() async throws {
        let lines = (0..<8).map { "1 0 0 1 20 \(12 + 15 * $0) Tm (Many letters of a page) Tj" }
        let page = try await page(
            PDFFixture.scan(
                Self.coarse, size: Self.size,
                after: "BT 0 g /F1 10 Tf \(lines.joined(separator: " ")) ET"))
        #expect(page.description.width == 900)
    }

    @Test("A picture that does not fill the page is rendered with its surroundings")
    func smallPicture() async throws {
        let picture = PDFFixture.raw(
            width: Self.width, height: Self.height, space: "DeviceGray",
            Self.blocks(seed: 48, samples: 1))
        let page = try await page(
            PDFFixture.scan(picture, size: Self.size, matrix: "108 0 0 72 20 20"))
        #expect(page.description.width == 900)
    }

    @Test("A scan in strips is drawn pixel for pixel, upright and turned", arguments: [0, 180])
    func strips(rotate: Int) async throws {
        let pixels = Self.blocks(seed: 49, samples: 1)
        let half = Self.width * Self.height / 2
        let strips = [Array(pixels[..<half]), Array(pixels[half...])].map {
            PDFFixture.raw(width: Self.width, height: Self.height / 2, space: "DeviceGray", $0)
        }
        let page = try await page(
            .init(
                size: Self.size,
                content: "q 216 0 0 72 0 72 cm /A Do Q q 216 0 0 72 0 0 cm /B Do Q",
                pictures: ["A": strips[0], "B": strips[1]], rotate: rotate))
        expect(
            page,
            is: shown(
                pixels, width: Self.width, height: Self.height,
                orientation: rotate == 0 ? 1 : 3), .gray8)
    }

    @Test("Content beside a scan that nearly fills the page, or tiny on top of it, is kept")
    func beside() async throws {
        // 200 dpi; the text is 4 points below the picture, and the dot is half a point wide.
        let white = [UInt8](repeating: 250, count: 600 * 396)
        let picture = PDFFixture.raw(width: 600, height: 396, space: "DeviceGray", white)
        let footer = PDFFixture.scan(
            picture, size: Self.size, matrix: "216 0 0 142.56 0 1.44",
            after: "0 g 20 0 40 1 re f")
        let dot = PDFFixture.scan(
            PDFFixture.raw(
                width: 600, height: 400, space: "DeviceGray",
                [UInt8](repeating: 250, count: 600 * 400)), size: Self.size,
            after: "0 g 100 70 0.72 0.72 re f")
        for fixture in [footer, dot] {
            let page = try await page(fixture)
            // The picture's own resolution.
            #expect(page.description.width == 600)
            #expect(page.description.height == 400)
            #expect(page.bytes.contains { $0 < 60 })
        }
    }

    @Test("Marks that the scan covers, and white marks under it, do not matter")
    func covered() async throws {
        let pixels = Self.blocks(seed: 56, samples: 1)
        let picture = PDFFixture.raw(
            width: Self.width, height: Self.height, space: "DeviceGray", pixels)
        var fixture = PDFFixture.scan(picture, size: Self.size)
        fixture.content =
            "1 g 0 0 216 144 re f 0 g BT /F1 24 Tf 20 40 Td (Hamburg) Tj ET " + fixture.content
        expect(try await page(fixture), is: pixels, .gray8)
    }

    @Test("A picture that is cut, masked or transparent is drawn, not extracted")
    func notWhole() async throws {
        // The picture is black, so an extracted page has no white pixels.
        let picture = PDFFixture.raw(
            width: Self.width, height: Self.height, space: "DeviceGray",
            [UInt8](repeating: 0, count: Self.width * Self.height))
        var clipped = PDFFixture.scan(picture, size: Self.size)
        clipped.content = "0 0 108 144 re W n " + clipped.content
        var clear = PDFFixture.scan(picture, size: Self.size)
        clear.content = "/Half gs " + clear.content
        clear.resources = "/ExtGState << /Half << /ca 0.5 >> >>"
        for fixture in [clipped, clear] {
            let page = try await page(fixture)
            #expect(page.description.width == Self.width)
            #expect(page.bytes.contains { $0 > 100 })
        }
    }

    @Test(
        "A picture far finer than any scan is drawn at the usual resolution, with a report")
    func muchTooFine() async throws {
        let picture = PDFFixture.raw(
            width: 40_000, height: 2, bits: 1, space: "DeviceGray",
            [UInt8](repeating: 0x0F, count: 10_000))
        let page = try await page(PDFFixture.scan(picture, size: Self.size))
        #expect(page.description.width == 900)
        #expect(page.description.height == 600)
        #expect(page.description.problems?.first?.contains("40000 × 2") == true)
        // Half of the page is black.
        #expect(page.bytes.contains { $0 > 40 && $0 < 215 } || page.bytes.contains { $0 != 0 })
    }

    @Test("A JPEG whose colors the page maps is decoded with the mapped colors")
    func mapped() async throws {
        let jpeg = try makeJPEG(
            width: Self.width, height: Self.height, gray: true,
            pixels: Self.blocks(seed: 50, samples: 1))
        let picture = PDFFixture.jpeg(
            width: Self.width, height: Self.height, space: "DeviceGray", more: "/Decode [1 0]", jpeg
        )
        let page = try await page(PDFFixture.scan(picture, size: Self.size))
        let stored = try decodedJPEG(jpeg, width: Self.width, height: Self.height, gray: true)
        #expect(page.original == nil)
        #expect(page.description.width == Self.width)
        // Poppler's decoder and TurboJPEG's round differently, by at most one step.
        #expect(zip(page.bytes, stored).allSatisfy { abs(Int($0) - (255 - Int($1))) <= 2 })
    }

    @Test("An encrypted scan is extracted with its JPEG decrypted")
    func encrypted() async throws {
        let jpeg = try makeJPEG(
            width: Self.width, height: Self.height, gray: true,
            pixels: Self.blocks(seed: 51, samples: 1))
        let picture = PDFFixture.jpeg(
            width: Self.width, height: Self.height, space: "DeviceGray", jpeg)
        let bytes = try PDFFixture.encrypted(
            PDFFixture.bytes([PDFFixture.scan(picture, size: Self.size)]), user: "a", owner: "b")
        let scratch = try Scratch()
        let path = try scratch.file("a.pdf", bytes)
        for password in ["a", "b"] {
            let recording = try await record(path, ["password": .text(password)])
            #expect(mismatch(recording.pages.first?.original?.bytes ?? [], jpeg) == nil)
        }
    }
}
