import CTIFF
import CaptureKit
import Testing

@Suite struct DamagedTIFFTests {
    private static func fixture() -> TIFFFixture {
        TIFFFixture(
            (1...5).map { number in
                .init(width: 8, height: 8, pixels: [UInt8](repeating: UInt8(number), count: 64))
            })
    }

    /// Expects pages 1, 2, 4 and 5, and a report about page 3.
    private func expectThirdSkipped(_ bytes: [UInt8]) async throws {
        let scratch = try Scratch()
        let recording = try await record(scratch.file("a.tif", bytes))
        #expect(recording.pages.map { $0.bytes.first } == [1, 2, 4, 5])
        #expect(recording.labels == (1...5).map { "a.tif, page \($0)" })
        let error = try #require(recording.skips.first)
        #expect(error.code == .damagedData)
        #expect(error.message.contains("Page 3"))
        #expect(recording.unfinished == 0)
    }

    @Test("If only the third page's strip is outside the file, the other pages are delivered")
    func strip() async throws {
        let fixture = Self.fixture()
        var bytes = fixture.bytes
        // StripOffsets is the sixth entry of a directory.
        let entry = fixture.directories[2] + 2 + 5 * 12
        bytes.replaceSubrange(entry + 8..<entry + 12, with: little32(0x7FFF_0000))
        try await expectThirdSkipped(bytes)
    }

    @Test("If only the third page's tags are nonsense, the other pages are delivered")
    func directory() async throws {
        let fixture = Self.fixture()
        var bytes = fixture.bytes
        let start = fixture.directories[2] + 2
        for offset in start..<start + 9 * 12 { bytes[offset] = 0xEE }
        try await expectThirdSkipped(bytes)
    }

    @Test("If only the third page's data is damaged, the page is delivered as damaged")
    func compressed() async throws {
        let scratch = try Scratch()
        let path = scratch.path + "/a.tif"
        var noise = Noise(seed: 11)
        let pages = (0..<5).map { _ in noise.bytes(64 * 64) }
        try writeTIFF(
            to: path, width: 64, height: 64, bits: 8, samples: 1,
            photometric: PHOTOMETRIC_MINISBLACK,
            compression: COMPRESSION_ADOBE_DEFLATE, rowsPerStrip: 64, pages: pages)
        var bytes = try Scratch.read(path)
        // The pages' data is in order and noise doesn't compress: the third page is around the
        // middle.
        let middle = bytes.count / 2
        for offset in middle..<middle + 200 { bytes[offset] = ~bytes[offset] }
        try scratch.file("a.tif", bytes)
        let recording = try await record(path)
        #expect(recording.pages.map { $0.description.problems?.count ?? 0 } == [0, 0, 1, 0, 0])
        for number in [0, 1, 3, 4] {
            #expect(mismatch(recording.pages[number].bytes, pages[number]) == nil)
        }
        let strict = try await record(path, ["strict": .bool(true)])
        #expect(strict.pages.count == 4)
        #expect(strict.skips.map(\.code) == [.damagedData])
    }

    @Test("A truncated JPEG strip is reported as damage")
    func jpegStrip() async throws {
        let scratch = try Scratch()
        let path = scratch.path + "/a.tif"
        var noise = Noise(seed: 12)
        try writeTIFF(
            to: path, width: 64, height: 64, bits: 8, samples: 1,
            photometric: PHOTOMETRIC_MINISBLACK,
            compression: COMPRESSION_JPEG, rowsPerStrip: 64, pages: [noise.bytes(64 * 64)])
        #expect(try await record(path).pages.count == 1)
        var bytes = try Scratch.read(path)
        // The strip is nearly all of the file; its end becomes an early end of image.
        let middle = bytes.count / 2
        bytes.replaceSubrange(middle..<middle + 2, with: [0xFF, 0xD9])
        _ = try await damagedPage(scratch.file("a.tif", bytes))
    }

    @Test(
        "A truncated TIFF has the rows in the file, and white ones below",
        arguments: ["none", "lzw", "zip"])
    func breaksOff(coding: String) async throws {
        let scratch = try Scratch()
        var noise = Noise(seed: 13)
        let pixels = noise.bytes(100 * 400)
        try scratch.file("in.pgm", Array("P5\n100 400\n255\n".utf8) + pixels)
        // Pillow writes the directory before the pixels where they are not compressed.
        try make(
            in: scratch,
            coding == "none"
                ? "/usr/bin/python3 -c \"from PIL import Image; Image.open('in.pgm').save('a.tif')\""
                : "convert in.pgm -compress \(coding) -define tiff:rows-per-strip=10 a.tif")
        var bytes = try Scratch.read(scratch.path + "/a.tif")
        if coding == "none" {
            bytes.removeLast(bytes.count / 2)
        } else {
            // The directory is at the end; everything between it and the first strips is
            // overwritten.
            let end =
                bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 4, as: UInt32.self)) }
                - 2_000
            bytes.replaceSubrange(20_000..<end, with: [UInt8](repeating: 0xEE, count: end - 20_000))
        }
        let page = try await damagedPage(scratch.file("cut.tif", bytes))
        #expect(mismatch(Array(page.bytes.prefix(8_000)), Array(pixels.prefix(8_000))) == nil)
        if coding == "none" { #expect(page.bytes.suffix(8_000).allSatisfy { $0 == 255 }) }
    }

    @Test("A circular chain of pages ends, and the capture reports it")
    func circle() async throws {
        let fixture = Self.fixture()
        var bytes = fixture.bytes
        let link = fixture.directories[4] + 2 + 9 * 12
        bytes.replaceSubrange(link..<link + 4, with: little32(fixture.directories[1]))
        let scratch = try Scratch()
        let recording = try await record(scratch.file("a.tif", bytes))
        #expect(recording.pages.count == 5)
        #expect(recording.skips.first?.message.contains("loops after page") == true)
    }

    @Test("A broken chain of pages gives the pages before the break, and a report")
    func broken() async throws {
        let fixture = Self.fixture()
        let scratch = try Scratch()
        let cut = Array(fixture.bytes[..<(fixture.directories[3] + 20)])
        let recording = try await record(scratch.file("a.tif", cut))
        #expect(recording.pages.count == 3)
        #expect(recording.skips.count == 2)
    }

    @Test("A file of damaged pages only is one error that counts them")
    func allDamaged() async throws {
        let fixture = Self.fixture()
        var bytes = fixture.bytes
        for start in fixture.directories {
            for offset in start + 2..<start + 110 { bytes[offset] = 0xEE }
        }
        let scratch = try Scratch()
        let error = try await failure(scratch.file("a.tif", bytes))
        #expect(error.code == .damagedData)
        #expect(error.message.contains("4 more"))
    }

    @Test("A file cut off before its first page gives an error that says what it looks like")
    func cutShort() async throws {
        let scratch = try Scratch()
        let path = try scratch.file("a", Array(Self.fixture().bytes.prefix(40)))
        let error = try await failure(path)
        #expect(error.code == .damagedData)
        #expect(error.message.contains("TIFF"))
        #expect(error.message.contains("first page"))
    }

    @Test("Floating-point samples are refused as unsupported")
    func floats() async throws {
        let scratch = try Scratch()
        let fixture = TIFFFixture([
            .init(width: 1, height: 1, bits: 32, pixels: [0, 0, 0, 0], more: [(339, 3, 3)])
        ])
        #expect(try await failure(scratch.file("a.tif", fixture.bytes)).code == .unsupported)
    }
}
