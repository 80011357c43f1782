import Testing

@testable import Imaging

@Suite struct CodecTests {
    static let sizes = [(1, 1), (1, 40), (40, 1), (33, 17), (64, 48)]

    @Test(
        "PNG, TIFF and lossless WebP are read back exactly",
        arguments: [PixelFormat.bilevel, .gray8, .gray16, .rgb8])
    func lossless(format: PixelFormat) throws {
        for (width, height) in Self.sizes {
            let source = Raster.noise(width, height, format, resolution: 300)
            for bytes in try [
                source.encodedPNG(), source.encodedPNG(compression: 0), source.encodedTIFF(),
            ] {
                let back = try Raster.decoded(from: bytes)
                #expect(back.format == format && back.width == width && back.height == height)
                #expect(back.samples == source.samples)
                #expect(back.resolution.map { ($0 - 300).magnitude < 0.6 } == true)
            }
            let webp = try Raster.decoded(from: source.encodedWebP(lossless: true))
            #expect(webp.samples == source.converted(to: .rgb8).samples)
        }
    }

    @Test("16-bit color is written with 8 bits")
    func deepColor() throws {
        let source = Raster.noise(20, 10, .rgb16)
        for bytes in try [source.encodedPNG(), source.encodedTIFF()] {
            #expect(try Raster.decoded(from: bytes).samples == source.converted(to: .rgb8).samples)
        }
    }

    @Test("JPEG keeps size, form and resolution, and is close", arguments: PixelFormat.allCases)
    func jpeg(format: PixelFormat) throws {
        for (width, height) in Self.sizes {
            let source = Raster.painted(width, height, format, resolution: 240) { x, y, _ in
                format == .bilevel ? 0 : (x + y) * format.largestSample / 120
            }
            let bytes = try source.encodedJPEG(quality: 95, subsampling: .none)
            let back = try Raster.decoded(from: bytes)
            let wanted: PixelFormat = format.channels == 3 ? .rgb8 : .gray8
            #expect(back.format == wanted && back.width == width && back.height == height)
            #expect(back.resolution == 240)
            #expect(largestDifference(back.samples, source.converted(to: wanted).samples) <= 8)
        }
    }

    @Test("Lower quality and coarser color make smaller files; values out of range are clipped")
    func jpegSettings() throws {
        let source = Raster.noise(200, 200, .rgb8)
        let sizes = try [100, 85, 40, 5].map { try source.encodedJPEG(quality: $0).count }
        #expect(sizes == sizes.sorted(by: >))
        let chroma = try [ChromaSubsampling.none, .half, .quarter].map {
            try source.encodedJPEG(subsampling: $0).count
        }
        #expect(chroma == chroma.sorted(by: >))
        #expect(try source.encodedJPEG(quality: -5) == source.encodedJPEG(quality: 1))
        #expect(try source.encodedJPEG(quality: 900) == source.encodedJPEG(quality: 100))
    }

    @Test(
        "A JPEG is read at the smallest size with enough pixels",
        arguments: [(20, 1), (27, 2), (100, 4), (102, 8), (1000, 8)])
    func reduced(longSide: Int, eighths: Int) throws {
        let source = Raster.painted(203, 101, .rgb8, resolution: 200) { x, y, _ in x }
        let bytes = try source.encodedJPEG(quality: 95)
        let color = try Raster.decodedJPEG(from: bytes, longSide: longSide)
        #expect(color.format == .rgb8)
        let luma = color.converted(to: .gray8)
        #expect(luma.width == (203 * eighths + 7) / 8 && luma.height == (101 * eighths + 7) / 8)
        #expect(color.resolution == 25 * Double(eighths))
        let expected = source.converted(to: .gray8).resized(to: luma.width, luma.height)
        let middle = luma.samples[
            luma.width * (luma.height / 2)..<luma.width * (luma.height / 2 + 1)]
        let wanted = expected.samples[
            luma.width * (luma.height / 2)..<luma.width * (luma.height / 2 + 1)]
        #expect(largestDifference(Array(middle), Array(wanted)) <= 8)
    }

    @Test("A truncated JPEG is refused, or read as far as possible on request")
    func truncatedJPEG() throws {
        let bytes = try Raster.noise(120, 120, .gray8).encodedJPEG()
        let cut = Array(bytes.prefix(bytes.count / 2))
        #expect(throws: ImagingError.self) { try Raster.decoded(from: cut) }
        let part = try Raster.decodedJPEG(from: cut, toleratingDamage: true)
        let whole = try Raster.decoded(from: bytes)
        #expect(part.width == 120)
        #expect(part.samples.prefix(120 * 16) == whole.samples.prefix(120 * 16))
    }

    @Test("Group 4 data decodes to the same pixels in a fresh TIFF")
    func g4() throws {
        for (width, height) in [(1, 1), (8, 8), (31, 20), (200, 90)] {
            let source = Raster.painted(width, height, .bilevel) { x, y, _ in
                (x / 3 + y / 2) % 3 == 0 ? 1 : 0
            }
            let data = try source.encodedG4()
            #expect(data.width == width && data.height == height)
            let back = try Raster.decoded(from: tiffAround(data))
            #expect(back.format == .bilevel && back.samples == source.samples)
        }
    }

    @Test("Group 4 data of a white page is tiny, and gray is split at the middle first")
    func g4Small() throws {
        let white = Raster(width: 2480, height: 3508, format: .bilevel)
        #expect(try white.encodedG4().bytes.count < 2000)
        let gray = Raster.painted(40, 40, .gray8) { x, _, _ in x * 6 }
        #expect(try gray.encodedG4() == gray.converted(to: .bilevel).encodedG4())
    }

    /// A little-endian TIFF file with one strip, written field by field.
    func tiffAround(_ data: G4Data) -> [UInt8] {
        func little(_ value: Int, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let fields = [
            (256, data.width), (257, data.height), (258, 1), (259, 4), (262, 0), (273, 8),
            (277, 1), (278, data.height), (279, data.bytes.count),
        ]
        let padding = data.bytes.count % 2
        var file: [UInt8] = [0x49, 0x49, 42, 0] + little(8 + data.bytes.count + padding, 4)
        file += data.bytes + [UInt8](repeating: 0, count: padding)
        file += little(fields.count, 2)
        for (tag, value) in fields {
            file += little(tag, 2) + little(4, 2) + little(1, 4) + little(value, 4)
        }
        return file + little(0, 4)
    }

    @Test("Netpbm files are read, text and binary")
    func pnm() throws {
        let plain = try Raster.decoded(
            from: Array("P2\n# words\n3 2\n255\n0 10 20\n30 40 255\n".utf8))
        #expect(plain.format == .gray8 && plain.samples == [0, 10, 20, 30, 40, 255])
        let color = try Raster.decoded(
            from: Array("P6 2 1 255\n".utf8) + [1, 2, 3, 250, 251, 252])
        #expect(color.format == .rgb8 && color.samples == [1, 2, 3, 250, 251, 252])
        let bits = try Raster.decoded(from: Array("P4 10 1\n".utf8) + [0b1010_0000, 0b0100_0000])
        #expect(bits.format == .bilevel && bits.samples == [1, 0, 1, 0, 0, 0, 0, 0, 0, 1])
        let deep = try Raster.decoded(
            from: Array("P5 2 1 65535\n".utf8) + [0x12, 0x34, 0xFF, 0xFF])
        #expect(deep.format == .gray16 && deep.samples == [0x1234, 0xFFFF])
    }

    @Test("A picture beyond the limits is refused before it is made")
    func limits() throws {
        let source = Raster(width: 300, height: 200, format: .gray8)
        let small = DecodingLimits(maximumPixels: 59_999)
        let narrow = DecodingLimits(maximumSide: 299)
        for bytes in try [
            source.encodedPNG(), source.encodedTIFF(), source.encodedJPEG(), source.encodedWebP(),
            Array("P5 300 200 255\n".utf8) + [UInt8](repeating: 0, count: 60_000),
        ] {
            _ = try Raster.decoded(from: bytes, limits: DecodingLimits(maximumPixels: 60_000))
            for limits in [small, narrow] {
                let error = #expect(throws: ImagingError.self) {
                    try Raster.decoded(from: bytes, limits: limits)
                }
                #expect(error?.code == .tooLarge)
                #expect(error?.message.contains("300 × 200") == true)
            }
        }
    }

    @Test("A header that promises 30,000 × 30,000 pixels is refused")
    func promises() throws {
        var png = try Raster(width: 1, height: 1, format: .gray8).encodedPNG()
        for offset in [16, 20] {
            png.replaceSubrange(offset..<offset + 4, with: [0, 0, 0x75, 0x30])
        }
        let error = #expect(throws: ImagingError.self) { try Raster.decoded(from: png) }
        #expect(error?.code == .tooLarge)
        let pnm = #expect(throws: ImagingError.self) {
            try Raster.decoded(from: Array("P5 30000 30000 255\nabc".utf8))
        }
        #expect(pnm?.code == .tooLarge)
    }

    @Test("Bytes of an unknown format, and missing pages, give different errors")
    func unknown() throws {
        for bytes in [[], [1], Array("GIF89a".utf8), Array("%PDF-1.4".utf8), [0xFF, 0xD8]]
            as [[UInt8]]
        {
            let error = #expect(throws: ImagingError.self) { try Raster.decoded(from: bytes) }
            #expect(error?.code == .unsupported)
        }
        let tiff = try Raster(width: 3, height: 3, format: .gray8).encodedTIFF()
        for page in [1, 70_000, Int.max, -1] {
            #expect(throws: ImagingError.self) { try Raster.decoded(from: tiff, page: page) }
        }
        let png = try Raster(width: 3, height: 3, format: .gray8).encodedPNG()
        #expect(throws: ImagingError.self) { try Raster.decoded(from: png, page: 1) }
    }

    @Test("Sides that a format cannot hold are refused")
    func tooWide() {
        let strip = Raster(width: 70_000, height: 1, format: .gray8)
        for encode in [{ try strip.encodedJPEG() }, { try strip.encodedWebP() }]
            as [() throws -> [UInt8]]
        {
            let error = #expect(throws: ImagingError.self) { try encode() }
            #expect(error?.code == .tooLarge)
        }
    }
}
