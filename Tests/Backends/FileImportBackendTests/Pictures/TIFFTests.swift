import CTIFF
import CaptureKit
import Testing

@Suite struct TIFFTests {
    private func page(_ page: TIFFFixture.Page) async throws -> Recording.Page {
        let scratch = try Scratch()
        return try #require(
            try await record(scratch.file("a.tif", TIFFFixture([page]).bytes)).pages.first)
    }

    @Test("Bilevel has 1 for black, whichever value the file uses for white", arguments: [0, 1])
    func bilevel(photometric: Int) async throws {
        var noise = Noise(seed: 2)
        let stored = noise.bytes(4)
        let page = try await page(
            .init(width: 13, height: 2, bits: 1, photometric: photometric, pixels: stored))
        let black = (0..<26).map { index in
            let byte = stored[index / 13 * 2 + index % 13 / 8]
            let one = byte & (0x80 >> UInt8(index % 13 % 8)) != 0
            return photometric == 0 ? one : !one
        }
        #expect(page.description.format == .bilevel)
        #expect(page.bytes == packedBits(black, width: 13))
    }

    @Test("Gray is exact, inverted where 0 is white", arguments: [0, 1], [8, 16])
    func gray(photometric: Int, bits: Int) async throws {
        var noise = Noise(seed: 3)
        let stored = noise.bytes(7 * 3 * bits / 8)
        let page = try await page(
            .init(width: 7, height: 3, bits: bits, photometric: photometric, pixels: stored))
        #expect(page.description.format == (bits == 8 ? .gray8 : .gray16))
        #expect(page.bytes == (photometric == 1 ? stored : stored.map { ~$0 }))
    }

    @Test("Color of 8 and 16 bits is exact", arguments: [8, 16])
    func color(bits: Int) async throws {
        var noise = Noise(seed: 4)
        let stored = noise.bytes(7 * 3 * 3 * bits / 8)
        let page = try await page(
            .init(width: 7, height: 3, bits: bits, samples: 3, photometric: 2, pixels: stored))
        #expect(page.description.format == (bits == 8 ? .rgb8 : .rgb16))
        #expect(page.bytes == stored)
    }

    @Test("Three samples of unknown meaning are color, and the page reports it")
    func guessed() async throws {
        let page = try await page(
            .init(
                width: 2, height: 1, samples: 3, photometric: nil, pixels: [1, 2, 3, 4, 5, 6]))
        #expect(page.description.format == .rgb8)
        #expect(page.bytes == [1, 2, 3, 4, 5, 6])
        #expect(
            page.description.problems == [
                "The file is damaged; the page shows what could be read of it."
            ])
    }

    @Test("A fax without a photometric interpretation has black letters")
    func guessedFax() async throws {
        let scratch = try Scratch()
        let path = scratch.path + "/a.tif"
        // The file is written with 1 as black; its pixels stay so when the tag gets another number.
        try writeTIFF(
            to: path, width: 16, height: 1, bits: 1, samples: 1,
            photometric: PHOTOMETRIC_MINISWHITE, compression: COMPRESSION_CCITTFAX4,
            pages: [[0xF0, 0x01]])
        var bytes = try Scratch.read(path)
        let tag = try #require(
            bytes.indices.dropLast(12).first {
                bytes[$0..<$0 + 4].elementsEqual(little16(262) + little16(3))
            })
        // Tag 263 (how grays became black and white) replaces tag 262, so that the tags stay in
        // order.
        bytes[tag] = 7
        bytes[tag + 8] = 1
        let page = try #require(try await record(scratch.file("b.tif", bytes)).pages.first)
        #expect(page.description.format == .bilevel)
        #expect(page.bytes == [0xF0, 0x01])
    }

    @Test("Four-bit gray and palettes come out exact")
    func converted() async throws {
        let gray = try await page(.init(width: 2, height: 1, bits: 4, pixels: [0x3C]))
        #expect(gray.description.format == .gray8)
        #expect(gray.bytes == [0x33, 0xCC])
        // 16 reds, 16 greens, 16 blues.
        let map = (0..<48).flatMap { little16($0 * 257) }
        let palette = try await page(
            .init(width: 2, height: 1, bits: 4, photometric: 3, pixels: [0x1F], palette: map))
        #expect(palette.description.format == .rgb8)
        #expect(palette.bytes == [1, 17, 33, 15, 31, 47])
    }

    @Test("Transparency is laid over white")
    func alpha() async throws {
        // Unassociated alpha (ExtraSamples 2): black is half opaque, and red is transparent.
        let page = try await page(
            .init(
                width: 2, height: 1, samples: 4, photometric: 2,
                pixels: [0, 0, 0, 128, 255, 0, 0, 0],
                more: [(338, 3, 2)]))
        #expect(page.bytes == [127, 127, 127, 255, 255, 255])
    }

    @Test(
        "With a palette, an extra sample is alpha only if the file says so",
        arguments: [(0, [10, 20, 30]), (1, [132, 137, 142]), (2, [132, 137, 142])])
    func paletteAlpha(kind: Int, half: [UInt8]) async throws {
        // Two pixels: entry 1 of the palette with an alpha of 128 (by which an entry's number can't
        // be multiplied), and entry 2, opaque.
        var map = [UInt8](repeating: 0, count: 3 * 256 * 2)
        let colors = [(1, 10), (2, 200), (257, 20), (258, 210), (513, 30), (514, 220)]
        for (entry, level) in colors { map[2 * entry + 1] = UInt8(level) }
        let page = try await page(
            .init(
                width: 2, height: 1, samples: 2, photometric: 3, pixels: [1, 128, 2, 255],
                more: [(338, 3, kind)], palette: map))
        #expect(page.description.format == .rgb8)
        #expect(page.bytes == half + [200, 210, 220])
    }

    @Test(
        "Every orientation is applied, whether the code or libtiff decodes",
        arguments: 1...8)
    func orientation(_ orientation: Int) async throws {
        var noise = Noise(seed: 6)
        let stored = noise.bytes(6 * 4)
        let direct = try await page(
            .init(
                width: 6, height: 4, pixels: stored, orientation: orientation, resolution: (200, 2))
        )
        #expect(direct.bytes == shown(stored, width: 6, height: 4, orientation: orientation))
        #expect(direct.description.width == (orientation < 5 ? 6 : 4))
        let nibbles = stored.flatMap { [$0 >> 4, $0 & 15] }
        let converted = try await page(
            .init(width: 12, height: 4, bits: 4, pixels: stored, orientation: orientation))
        #expect(
            converted.bytes
                == shown(nibbles.map { $0 * 17 }, width: 12, height: 4, orientation: orientation))
    }

    @Test("The resolution is read per inch or per centimeter, and ignored without a unit")
    func resolution() async throws {
        func resolution(_ dots: Int, _ unit: Int) async throws -> Resolution? {
            try await page(.init(width: 1, height: 1, pixels: [0], resolution: (dots, unit)))
                .description.resolution
        }
        #expect(try await resolution(300, 2) == Resolution(x: 300))
        #expect(try await resolution(100, 3) == Resolution(x: 254))
        #expect(try await resolution(300, 1) == nil)
        #expect(try await resolution(0, 2) == nil)
    }

    @Test(
        "libtiff's lossless compressions and tiles are exact",
        arguments: [
            (COMPRESSION_LZW, 8, 3, nil), (COMPRESSION_ADOBE_DEFLATE, 16, 3, nil),
            (COMPRESSION_PACKBITS, 8, 1, nil), (COMPRESSION_CCITTFAX4, 1, 1, nil),
            (COMPRESSION_LZW, 8, 3, 16), (COMPRESSION_LZW, 16, 1, 16),
            (COMPRESSION_CCITTFAX4, 1, 1, 32),
        ] as [(Int32, Int, Int, Int?)])
    func compressed(compression: Int32, bits: Int, samples: Int, tile: Int?) async throws {
        let scratch = try Scratch()
        let (width, height) = (40, 24)
        var noise = Noise(seed: 9)
        let stored = noise.bytes(width * height * bits * samples / 8)
        let path = scratch.path + "/a.tif"
        try writeTIFF(
            to: path, width: width, height: height, bits: bits, samples: samples,
            photometric: samples == 3
                ? PHOTOMETRIC_RGB : bits == 1 ? PHOTOMETRIC_MINISWHITE : PHOTOMETRIC_MINISBLACK,
            compression: compression, tile: tile, pages: [stored])
        let page = try #require(try await record(path).pages.first)
        #expect(mismatch(page.bytes, stored) == nil)
    }

    @Test("Pages come in order, with their numbers; thumbnails among them are left out")
    func pages() async throws {
        let scratch = try Scratch()
        let fixture = TIFFFixture([
            .init(width: 2, height: 1, pixels: [1, 1]),
            .init(width: 1, height: 1, pixels: [9], more: [(254, 4, 1)]),
            .init(width: 2, height: 1, pixels: [2, 2]),
        ])
        let recording = try await record(scratch.file("a.tif", fixture.bytes))
        #expect(recording.pages.map(\.bytes) == [[1, 1], [2, 2]])
        #expect(recording.labels == ["a.tif, page 1", "a.tif, page 3"])
        #expect(recording.skips.isEmpty)
    }

    @Test("The option 'pages' selects pages, and a limit ends the capture")
    func selection() async throws {
        let scratch = try Scratch()
        let fixture = TIFFFixture((1...9).map { .init(width: 1, height: 1, pixels: [UInt8($0)]) })
        let path = try scratch.file("a.tif", fixture.bytes)
        let some = try await record(path, ["pages": .text("2-3, 7-")])
        #expect(some.pages.map { $0.bytes[0] } == [2, 3, 7, 8, 9])
        #expect(try await record(path, limit: 2).pages.map { $0.bytes[0] } == [1, 2])
        let none = try await failure(path, ["pages": .text("10-12")])
        #expect(none.code == .invalidValue)
        #expect(none.message.contains("9 pages"))
    }
}
