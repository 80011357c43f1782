import CaptureKit
import FileImportBackend
import Testing

@Suite struct PNGTests {
    private static let width = 13
    private static let height = 5

    private func page(_ fixture: PNGFixture) async throws -> Recording.Page {
        let scratch = try Scratch()
        return try #require(try await record(scratch.file("a.png", fixture.bytes())).pages.first)
    }

    private func fixture(_ depth: Int, _ type: Int, channels: Int, seed: UInt64 = 1) -> PNGFixture {
        var noise = Noise(seed: seed)
        let row = (Self.width * depth * channels + 7) / 8
        return PNGFixture(
            width: Self.width, height: Self.height, depth: depth, colorType: type,
            rows: (0..<Self.height).map { _ in noise.bytes(row) })
    }

    @Test("One-bit gray is bilevel, with 1 for black")
    func oneBit() async throws {
        let fixture = fixture(1, 0, channels: 1)
        let page = try await page(fixture)
        #expect(page.description.format == .bilevel)
        let black = unpackedBits(fixture.rows, width: Self.width).map { !$0 }
        #expect(page.bytes == packedBits(black, width: Self.width))
    }

    @Test("Two- and four-bit gray is stretched to eight bits", arguments: [2, 4])
    func fewBits(depth: Int) async throws {
        let fixture = fixture(depth, 0, channels: 1)
        let page = try await page(fixture)
        let expected = fixture.rows.flatMap { row in
            (0..<Self.width).map { x in
                let value =
                    Int(row[x * depth / 8]) >> (8 - depth - x * depth % 8) & ((1 << depth) - 1)
                return UInt8(value * 255 / ((1 << depth) - 1))
            }
        }
        #expect(page.description.format == .gray8)
        #expect(page.bytes == expected)
    }

    @Test("Eight-bit gray and color are exact", arguments: [(0, 1), (2, 3)])
    func eightBits(type: Int, channels: Int) async throws {
        let fixture = fixture(8, type, channels: channels)
        let page = try await page(fixture)
        #expect(page.description.format == (channels == 1 ? .gray8 : .rgb8))
        #expect(page.bytes == fixture.rows.flatMap { $0 })
    }

    @Test(
        "Sixteen-bit gray and color are exact, in little-endian order",
        arguments: [(0, 1), (2, 3)])
    func sixteenBits(type: Int, channels: Int) async throws {
        let fixture = fixture(16, type, channels: channels)
        let page = try await page(fixture)
        #expect(page.description.format == (channels == 1 ? .gray16 : .rgb16))
        #expect(
            page.bytes == pixels(fixture.rows.flatMap { $0 }, size: 2).flatMap { $0.reversed() })
    }

    @Test("Transparency is laid over white", arguments: [(4, 1), (6, 3)])
    func alpha(type: Int, colors: Int) async throws {
        let fixture = fixture(8, type, channels: colors + 1)
        let page = try await page(fixture)
        let expected = pixels(fixture.rows.flatMap { $0 }, size: colors + 1).flatMap { pixel in
            let alpha = Double(pixel[colors]) / 255
            return pixel[..<colors].map {
                UInt8((Double($0) * alpha + 255 * (1 - alpha)).rounded())
            }
        }
        #expect(page.bytes == expected)
    }

    @Test("Transparency takes no more memory than the page does, unless rows are woven")
    func alphaInRows() async throws {
        let scratch = try Scratch()
        var fixture = fixture(8, 6, channels: 4)
        let limits = ImportLimits(maximumDecodedBytes: Self.width * Self.height * 4)
        let path = try scratch.file("a.png", fixture.bytes())
        #expect(try await record(path, limits: limits).pages.count == 1)
        fixture.interlaced = true
        let woven = try scratch.file("b.png", fixture.bytes())
        #expect(try await failure(woven, limits: limits).code == .tooLarge)
    }

    @Test("Sixteen-bit transparency is laid over white")
    func deepAlpha() async throws {
        let fixture = fixture(16, 6, channels: 4)
        let page = try await page(fixture)
        let stored = words(pixels(fixture.rows.flatMap { $0 }, size: 2).flatMap { $0.reversed() })
        let expected = stride(from: 0, to: stored.count, by: 4).flatMap { start in
            let alpha = Double(stored[start + 3]) / 65_535
            return (0..<3).map {
                UInt16((Double(stored[start + $0]) * alpha + 65_535 * (1 - alpha)).rounded())
            }
        }
        #expect(page.description.format == .rgb16)
        #expect(words(page.bytes) == expected)
    }

    @Test("A transparent color (tRNS) becomes white")
    func transparentColor() async throws {
        var fixture = fixture(8, 0, channels: 1)
        fixture.rows[0][0] = 7
        fixture.extra = [("tRNS", [0, 7])]
        let page = try await page(fixture)
        #expect(page.bytes == fixture.rows.flatMap { $0 }.map { $0 == 7 ? 255 : $0 })
    }

    @Test("A palette of colors becomes color, one of grays gray, and black and white bilevel")
    func palettes() async throws {
        var fixture = PNGFixture(
            width: 4, height: 1, depth: 2, colorType: 3, rows: [[0b0001_1011]])
        fixture.extra = [("PLTE", [1, 2, 3, 40, 50, 60, 7, 8, 9, 250, 0, 0])]
        let color = try await page(fixture)
        #expect(color.description.format == .rgb8)
        #expect(color.bytes == [1, 2, 3, 40, 50, 60, 7, 8, 9, 250, 0, 0])
        fixture.extra = [("PLTE", [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4])]
        let gray = try await page(fixture)
        #expect(gray.description.format == .gray8)
        #expect(gray.bytes == [1, 2, 3, 4])
        fixture.extra = [("PLTE", [0, 0, 0, 255, 255, 255, 0, 0, 0, 255, 255, 255])]
        let bilevel = try await page(fixture)
        #expect(bilevel.description.format == .bilevel)
        #expect(bilevel.bytes == [0b1010_0000])
    }

    @Test("The passes of an interlaced picture are combined")
    func interlaced() async throws {
        let (width, height) = (13, 9)
        var noise = Noise(seed: 5)
        let picture = noise.bytes(width * height)
        // Adam7: first column, first row, column step, row step of each pass (PNG, 8.1).
        let passes = [
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
            (0, 1, 1, 2),
        ]
        let rows = passes.flatMap { x0, y0, dx, dy in
            stride(from: y0, to: height, by: dy).map { y in
                stride(from: x0, to: width, by: dx).map { picture[y * width + $0] }
            }
        }
        let page = try await page(
            PNGFixture(
                width: width, height: height, depth: 8, colorType: 0, rows: rows, interlaced: true)
        )
        #expect(page.bytes == picture)
    }

    @Test("The resolution comes from pHYs, the rotation from eXIf")
    func notes() async throws {
        var fixture = fixture(8, 0, channels: 1)
        fixture.extra = [
            ("pHYs", big32(11_811) + big32(5_906) + [1]), ("eXIf", exifBlock(orientation: 6)),
        ]
        let page = try await page(fixture)
        let resolution = try #require(page.description.resolution)
        // 11,811 and 5,906 dots a meter are 300 and 150 dpi to a hundredth; the turn makes them
        // change places.
        #expect(abs(resolution.x - 150) < 0.02)
        #expect(abs(resolution.y - 300) < 0.02)
        #expect(
            page.bytes
                == shown(
                    fixture.rows.flatMap { $0 }, width: Self.width, height: Self.height,
                    orientation: 6))
    }

    @Test("The rotation comes from a text chunk if there is no eXIf")
    func textNotes() async throws {
        var fixture = fixture(8, 0, channels: 1)
        let block = Array("Exif\0\0".utf8) + exifBlock(orientation: 6)
        let digits = block.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        let lines = stride(from: 0, to: digits.count, by: 36).map {
            digits[$0..<min($0 + 36, digits.count)].joined()
        }
        let text = "\nexif\n    \(block.count)\n" + lines.joined(separator: "\n") + "\n"
        fixture.extra = [("tEXt", Array("Raw profile type exif\0".utf8) + Array(text.utf8))]
        let page = try await page(fixture)
        #expect(page.description.width == Self.height)
        #expect(
            page.bytes
                == shown(
                    fixture.rows.flatMap { $0 }, width: Self.width, height: Self.height,
                    orientation: 6))
    }

    @Test("Transparency before its palette is left out, and the page reports it")
    func strayTransparency() async throws {
        var fixture = PNGFixture(width: 2, height: 1, depth: 8, colorType: 3, rows: [[0, 1]])
        fixture.extra = [("tRNS", [0]), ("PLTE", [1, 2, 3, 40, 50, 60])]
        let page = try await page(fixture)
        #expect(page.bytes == [1, 2, 3, 40, 50, 60])
        let damaged = ["The file is damaged; the page shows what could be read of it."]
        #expect(page.description.problems == damaged)
        // Pictures without a palette of their own may propose one.
        fixture.colorType = 2
        fixture.rows = [[1, 2, 3, 4, 5, 6]]
        fixture.extra[0].body = [0, 1, 0, 2, 0, 3]
        let color = try await self.page(fixture)
        #expect(color.bytes == [1, 2, 3, 4, 5, 6])
        #expect(color.description.problems == damaged)
    }

    @Test("Bilevel pictures are turned too", arguments: 1...8)
    func turnedBits(orientation: Int) async throws {
        var fixture = fixture(1, 0, channels: 1)
        fixture.extra = [("eXIf", exifBlock(orientation: orientation))]
        let page = try await page(fixture)
        let black = unpackedBits(fixture.rows, width: Self.width).map { !$0 }
        let turned = shown(black, width: Self.width, height: Self.height, orientation: orientation)
        #expect(
            page.bytes
                == packedBits(turned, width: orientation < 5 ? Self.width : Self.height))
    }

    @Test(
        "A truncated PNG of noise has the rows in the file, and white ones below",
        arguments: ["", "-interlace PNG"])
    func rows(weaving: String) async throws {
        let scratch = try Scratch()
        var noise = Noise(seed: 5)
        let pixels = noise.bytes(100 * 100)
        try scratch.file("in.pgm", Array("P5 100 100 255\n".utf8) + pixels)
        try make(in: scratch, "convert in.pgm \(weaving) a.png")
        let bytes = try Scratch.read(scratch.path + "/a.png")
        let page = try await damagedPage(
            scratch.file("cut.png", Array(bytes.prefix(bytes.count / 2))))
        guard weaving.isEmpty else { return }
        #expect(mismatch(Array(page.bytes.prefix(4_000)), Array(pixels.prefix(4_000))) == nil)
        #expect(page.bytes.suffix(3_000).allSatisfy { $0 == 255 })
    }

    @Test("A truncated PNG, or one with a wrong checksum, is damaged")
    func damaged() async throws {
        let scratch = try Scratch()
        let bytes = fixture(8, 2, channels: 3).bytes()
        let cut = try await failure(scratch.file("cut.png", Array(bytes.dropLast(60))))
        #expect(cut.code == .damagedData)
        var wrong = bytes
        wrong[100] ^= 0xFF
        _ = try await damagedPage(scratch.file("wrong.png", wrong))
    }
}
