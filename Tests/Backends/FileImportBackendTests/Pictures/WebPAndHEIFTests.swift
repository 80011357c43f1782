import CHEIF
import CaptureKit
import Testing

@Suite struct WebPAndHEIFTests {
    @Test("A lossless WebP is exact, with white behind its transparency")
    func webP() async throws {
        let scratch = try Scratch()
        var noise = Noise(seed: 21)
        var rgba = noise.bytes(9 * 7 * 4)
        // A wholly transparent pixel's colors are not kept.
        for index in stride(from: 3, to: rgba.count, by: 4) { rgba[index] |= 0x40 }
        let path = try scratch.file("a", makeWebP(width: 9, height: 7, rgba: rgba))
        let page = try #require(try await record(path).pages.first)
        #expect(page.description.format == .rgb8)
        var expected: [UInt8] = []
        for pixel in pixels(rgba, size: 4) {
            let alpha = Double(pixel[3]) / 255
            for sample in pixel[..<3] {
                expected.append(UInt8((Double(sample) * alpha + 255 * (1 - alpha)).rounded()))
            }
        }
        #expect(page.bytes == expected)
    }

    @Test("A WebP's EXIF orientation is applied")
    func webPOrientation() async throws {
        let scratch = try Scratch()
        let rgba = (0..<6).flatMap { (index: Int) -> [UInt8] in [UInt8(index * 40), 0, 0, 255] }
        let simple = try makeWebP(width: 3, height: 2, rgba: rgba)
        // The extended container: a VP8X chunk that announces EXIF (RFC 9649, 2.7), the picture,
        // the EXIF chunk.
        let exif = exifBlock(orientation: 6)
        var extended = Array("VP8X".utf8) + little32(10)
        extended += [8, 0, 0, 0, 2, 0, 0, 1, 0, 0]
        extended += simple[12...]
        extended += Array("EXIF".utf8) + little32(exif.count) + exif
        let file = Array("RIFF".utf8) + little32(extended.count + 4) + Array("WEBP".utf8) + extended
        let page = try #require(try await record(scratch.file("a.webp", file)).pages.first)
        #expect(page.description.width == 2)
        let reds = pixels(page.bytes, size: 3).map { $0[0] }
        #expect(reds == shown((0..<6).map { UInt8($0 * 40) }, width: 3, height: 2, orientation: 6))
    }

    @Test("A truncated WebP has the rows that the file has, and is white below")
    func truncatedWebP() async throws {
        let scratch = try Scratch()
        var noise = Noise(seed: 22)
        let (width, height) = (200, 400)
        var rgba = noise.bytes(width * height * 4)
        for index in stride(from: 3, to: rgba.count, by: 4) { rgba[index] = 255 }
        let bytes = try makeWebP(width: width, height: height, rgba: rgba)
        let page = try await damagedPage(
            scratch.file("a.webp", Array(bytes.dropLast(bytes.count / 3))))
        let rows = pixels(page.bytes, size: width * 3)
        let stored = pixels(rgba, size: width * 4).map { row in
            pixels(row, size: 4).flatMap { $0[..<3] }
        }
        let count = try #require(rows.firstIndex { $0.allSatisfy { $0 == 255 } })
        #expect(count > height / 3)
        #expect(rows[..<count].elementsEqual(stored[..<count]))
        #expect(rows[count...].allSatisfy { $0.allSatisfy { $0 == 255 } })
    }

    /// Four flat quarters, which survive the lossy coding.
    private static let quarters: [[UInt8]] = [
        [250, 10, 10], [10, 250, 10], [10, 10, 250], [240, 240, 240],
    ]

    @Test("An animation's first picture is placed on its white canvas as the file says")
    func placedFrame() async throws {
        let scratch = try Scratch()
        let picture = KnownPicture.steps
        try scratch.file("in.ppm", picture.ppm)
        try make(
            in: scratch,
            "/usr/bin/python3 -c \"from PIL import Image, ImageOps; i = Image.open('in.ppm'); i.save('a.webp', save_all=True, lossless=True, append_images=[ImageOps.invert(i)])\""
        )
        var bytes = try Scratch.read(scratch.path + "/a.webp")
        func place(_ name: String) throws -> Int {
            try #require(
                bytes.indices.dropLast(4).first {
                    bytes[$0..<$0 + 4].elementsEqual(Array(name.utf8))
                })
        }
        // Of 48 × 32 pixels, a canvas of 52 × 32, and the picture 2 from its left.
        bytes[try place("VP8X") + 12] += 4
        bytes[try place("ANMF") + 8] = 1
        let page = try #require(try await record(scratch.file("b.webp", bytes)).pages.first)
        #expect(page.description.width == 52 && page.description.height == 32)
        let white = [UInt8](repeating: 255, count: 6)
        var expected: [UInt8] = []
        for row in pixels(picture.samples, size: 48 * 3) { expected += white + row + white }
        #expect(mismatch(page.bytes, expected) == nil)
        // Two pixels further it leaves the canvas.
        bytes[try place("ANMF") + 8] = 3
        let error = try await failure(scratch.file("c.webp", bytes))
        #expect(error.code == .damagedData)
    }

    @Test("A HEIC's picture is turned according to its container", arguments: 1...8)
    func heif(orientation: Int) async throws {
        let scratch = try Scratch()
        let (width, height) = (64, 32)
        let stored = (0..<width * height).map { index in
            Self.quarters[(index / width / (height / 2)) * 2 + index % width / (width / 2)]
        }
        let path = scratch.path + "/a"
        try writeHEIF(
            to: path, width: width, height: height, pixels: stored.flatMap { $0 },
            orientation: heif_orientation(rawValue: UInt32(orientation)))
        let page = try #require(try await record(path).pages.first)
        #expect(page.description.format == .rgb8)
        #expect(page.description.width == (orientation < 5 ? width : height))
        let expected = shown(stored, width: width, height: height, orientation: orientation)
        let got = pixels(page.bytes, size: 3)
        let wrong = zip(got, expected).count { pair in
            zip(pair.0, pair.1).contains { abs(Int($0) - Int($1)) > 24 }
        }
        // The coding blurs the edges between the quarters by only a few pixels.
        #expect(wrong < width * height / 8)
    }

    @Test(
        "Brightness without color becomes gray, whatever range its numbers have",
        arguments: ["full", "limited"])
    func grayAVIF(range: String) async throws {
        let scratch = try Scratch()
        let grays = (0..<64 * 32).map { UInt8($0 % 64 * 4) }
        try scratch.file("in.pgm", Array("P5 64 32 255\n".utf8) + grays)
        try make(
            in: scratch,
            "convert in.pgm a.png; avifenc -y 400 -r \(range) --min 0 --max 0 a.png a.avif")
        let page = try #require(try await record(scratch.path + "/a.avif").pages.first)
        #expect(page.description.format == .gray8)
        #expect(difference(page.bytes, grays) <= 3)
    }

    @Test("Unreadable transparency is reported")
    func lostAlpha() async throws {
        let scratch = try Scratch()
        try make(
            in: scratch,
            "convert -size 64x64 gradient:red-none PNG32:a.png; heif-enc -A a.png -o a.avif")
        var bytes = try Scratch.read(scratch.path + "/a.avif")
        // The alpha lacks a size, as in files of old versions of libavif.
        let sizes = bytes.indices.dropLast(4).filter {
            bytes[$0..<$0 + 4].elementsEqual(Array("ispe".utf8))
        }
        try #require(sizes.count == 2)
        bytes.replaceSubrange(sizes[0]..<sizes[0] + 4, with: Array("skip".utf8))
        _ = try await damagedPage(scratch.file("b.avif", bytes))
        let whole = try #require(try await record(scratch.path + "/a.avif").pages.first)
        #expect(whole.description.problems == nil)
    }

    @Test("Tiles of a picture are not pages, even if the file does not hide them")
    func shownTiles() async throws {
        let scratch = try Scratch()
        try make(
            in: scratch,
            """
            for color in red lime blue white; do convert -size 64x64 xc:$color PNG24:$color.png; done
            avifenc --grid 2x2 red.png lime.png blue.png white.png a.avif
            """)
        var bytes = try Scratch.read(scratch.path + "/a.avif")
        // The flag of a hidden item is the last of its `infe` box (ISO/IEC 23008-12, 6.4.2).
        let hidden = bytes.indices.dropLast(8).filter {
            bytes[$0..<$0 + 8].elementsEqual(Array("infe".utf8) + [2, 0, 0, 1])
        }
        try #require(hidden.count == 4)
        for place in hidden { bytes[place + 7] = 0 }
        let pages = try await record(scratch.file("b.avif", bytes)).pages
        #expect(pages.map(\.description.width) == [128])
    }

    @Test("A truncated HEIC is damaged")
    func truncatedHEIF() async throws {
        let scratch = try Scratch()
        var noise = Noise(seed: 23)
        let path = scratch.path + "/a.heic"
        try writeHEIF(to: path, width: 64, height: 64, pixels: noise.bytes(64 * 64 * 3))
        let bytes = try Scratch.read(path)
        let error = try await failure(
            scratch.file("cut.heic", Array(bytes.prefix(bytes.count / 2))))
        #expect(error.code == .damagedData)
    }
}
