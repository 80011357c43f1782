import CaptureKit
import FileImportBackend
import Testing

/// Pictures with known pixels, made by other programs.
@Suite struct PictureFormatTests {
    private static func page(_ commands: String, _ file: String, of picture: KnownPicture)
        async throws
        -> Recording.Page
    {
        let scratch = try Scratch()
        try scratch.file("in.ppm", picture.ppm)
        try make(in: scratch, commands)
        // The name says nothing: the content decides.
        try make(in: scratch, "mv '\(file)' picture.txt")
        let recording = try await record(scratch.path + "/picture.txt")
        #expect(recording.skips.isEmpty && recording.pages.count == 1)
        return try #require(recording.pages.first)
    }

    static let exact: [(String, String)] = [
        ("convert in.ppm BMP3:a.bmp", "a.bmp"), ("convert in.ppm a.bmp", "a.bmp"),
        ("convert in.ppm -flip a.pnm; convert a.pnm -flip BMP2:a.bmp", "a.bmp"),
        ("convert in.ppm -alpha set a.bmp", "a.bmp"),
        ("opj_compress -i in.ppm -o a.jp2", "a.jp2"), ("opj_compress -i in.ppm -o a.j2k", "a.j2k"),
        ("opj_compress -i in.ppm -t 20,10 -n 3 -o a.jp2", "a.jp2"),
        ("cjxl in.ppm a.jxl -d 0", "a.jxl"),
        ("cjxl in.ppm a.jxl -d 0 --container=1", "a.jxl"),
        ("convert in.ppm a.pam", "a.pam"),
        (
            "/usr/bin/python3 -c \"from PIL import Image; Image.open('in.ppm').save('a.jp2', irreversible=False)\"",
            "a.jp2"
        ),
        ("convert in.ppm -compress zip -define tiff:alpha=unspecified a.tif", "a.tif"),
    ]

    @Test("Lossless pictures come out exact", arguments: exact)
    func lossless(commands: String, file: String) async throws {
        let page = try await Self.page(commands, file, of: .steps)
        #expect(page.description.format == .rgb8)
        #expect(page.description.width == 48 && page.description.height == 32)
        #expect(page.description.problems == nil)
        #expect(mismatch(page.bytes, KnownPicture.steps.samples) == nil)
    }

    static let grays: [(String, String)] = [
        ("convert in.ppm -colors 256 BMP3:a.bmp", "a.bmp"),
        ("convert in.ppm -type palette -compress RLE BMP3:a.bmp", "a.bmp"),
        ("convert in.ppm -type palette a.gif", "a.gif"),
        ("convert in.ppm -type palette -interlace plane a.gif", "a.gif"),
        ("convert in.ppm -colorspace gray a.pgm; opj_compress -i a.pgm -o a.jp2", "a.jp2"),
        ("convert in.ppm -colorspace gray a.pgm; cjxl a.pgm a.jxl -d 0", "a.jxl"),
        ("convert in.ppm -colorspace gray a.pam", "a.pam"),
    ]

    @Test("Pictures without color come out gray and exact", arguments: grays)
    func gray(commands: String, file: String) async throws {
        let page = try await Self.page(commands, file, of: .gray)
        #expect(page.description.format == .gray8)
        #expect(mismatch(page.bytes, KnownPicture.gray.grays) == nil)
    }

    @Test(
        "Black and white palettes come out bilevel",
        arguments: [
            ("convert in.ppm -monochrome BMP3:a.bmp", "a.bmp"),
            ("convert in.ppm -monochrome a.gif", "a.gif"),
        ])
    func bilevel(commands: String, file: String) async throws {
        let page = try await Self.page(
            commands, file,
            of: KnownPicture { x, y in
                .init(repeating: (x / 8 + y / 8) % 2 == 0 ? 0 : 255, count: 3)
            })
        #expect(page.description.format == .bilevel)
        let rows = (0..<32).flatMap { y in
            (0..<6).map { x in (x + y / 8) % 2 == 0 ? UInt8(0xFF) : 0 }
        }
        #expect(page.bytes == rows)
    }

    @Test("16 colors in four bits and runs come out exact", arguments: ["", "-compress RLE"])
    func fourBits(coding: String) async throws {
        let picture = KnownPicture { x, y in [UInt8(x / 12 * 80), UInt8(y / 8 * 80), 7] }
        let page = try await Self.page(
            "convert in.ppm -type palette \(coding) BMP3:a.bmp", "a.bmp", of: picture)
        #expect(mismatch(page.bytes, picture.samples) == nil)
    }

    @Test("A BMP of 16 bits a pixel is scaled from its masks", arguments: ["RGB565", "RGB555"])
    func sixteenBits(kind: String) async throws {
        let picture = KnownPicture { x, y in [x < 24 ? 0 : 255, y < 16 ? 255 : 0, 255] }
        let page = try await Self.page(
            "convert in.ppm -define bmp:subtype=\(kind) a.bmp", "a.bmp", of: picture)
        #expect(mismatch(page.bytes, picture.samples) == nil)
    }

    @Test(
        "Deep samples keep 16 bits",
        arguments: [
            ("opj_compress -i deep.ppm -o a.jp2", "a.jp2"), ("cjxl deep.ppm a.jxl -d 0", "a.jxl"),
            ("convert deep.ppm a.pam", "a.pam"),
        ])
    func deep(commands: String, file: String) async throws {
        // 257 times a sample of 8 bits is the same sample of 16.
        let page = try await Self.page(
            "convert in.ppm -depth 16 deep.ppm; \(commands)", file, of: .steps)
        #expect(page.description.format == .rgb16)
        #expect(words(page.bytes) == KnownPicture.steps.samples.map { UInt16($0) * 257 })
    }

    /// Gray pictures that claim samples for `across` × `down` pixels, in the header's bytes 43 and 44.
    private static func coarse(_ across: Int, _ down: Int) -> String {
        """
        convert in.ppm -colorspace gray a.pgm; opj_compress -i a.pgm -o b.j2k; /usr/bin/python3 -c "
        data = bytearray(open('b.j2k', 'rb').read())
        data[43:45] = bytes([\(across), \(down)])
        open('a.j2k', 'wb').write(data)"
        """
    }

    @Test(
        "A JPEG 2000 page with samples coarser than its pixels reports it",
        arguments: [(13, 1), (1, 65), (2, 2)])
    func coarseSamples(across: Int, down: Int) async throws {
        let page = try await Self.page(Self.coarse(across, down), "a.j2k", of: .gray)
        #expect(
            page.description.problems?.contains {
                $0.contains("one sample for \(across) × \(down) pixels")
            } == true, "\(page.description.problems ?? [])")
    }

    @Test("A JPEG 2000 page with one sample per pixel has no problem")
    func fineSamples() async throws {
        let page = try await Self.page(Self.coarse(1, 1), "a.j2k", of: .gray)
        #expect(page.description.problems == nil)
    }

    @Test(
        "Transparency is laid over white",
        arguments: [
            ("convert in.ppm -transparent 'rgb(0,0,7)' a.gif", "a.gif"),
            (
                "convert in.ppm -transparent 'rgb(0,0,7)' -define png:exclude-chunks=gAMA,cHRM a.png; cjxl a.png a.jxl -d 0",
                "a.jxl"
            ),
            ("convert in.ppm -transparent 'rgb(0,0,7)' a.pam", "a.pam"),
            (
                "convert in.ppm -transparent 'rgb(0,0,7)' -define png:exclude-chunks=all PNG32:a.png; opj_compress -i a.png -o a.jp2",
                "a.jp2"
            ),
            // A bare codestream has no header that could name its alpha.
            (
                "convert in.ppm -transparent 'rgb(0,0,7)' -define png:exclude-chunks=all PNG32:a.png; opj_compress -i a.png -o a.j2k",
                "a.j2k"
            ),
            ("convert in.ppm -transparent 'rgb(0,0,7)' a.bmp", "a.bmp"),
            (
                "convert in.ppm -transparent 'rgb(0,0,7)' -define tiff:alpha=unassociated a.tif",
                "a.tif"
            ),
        ])
    func clear(commands: String, file: String) async throws {
        let page = try await Self.page(
            commands, file, of: KnownPicture { x, _ in x < 24 ? [0, 0, 7] : [200, 0, 7] })
        let expected = (0..<48 * 32).flatMap {
            $0 % 48 < 24 ? [255, 255, 255] : [200, 0, 7] as [UInt8]
        }
        #expect(mismatch(page.bytes, expected) == nil)
    }

    @Test(
        "Lossy pictures differ only slightly",
        arguments: [
            ("heif-enc -A in.png -q 90 -o a.avif", "a.avif"),
            ("heif-enc in.png -q 90 -o a.heic", "a.heic"),
            ("cjxl in.ppm a.jxl -d 1", "a.jxl"),
            ("opj_compress -i in.ppm -r 4 -I -o a.jp2", "a.jp2"),
        ])
    func lossy(commands: String, file: String) async throws {
        let page = try await Self.page("convert in.ppm PNG24:in.png; \(commands)", file, of: .bands)
        // Lossy coding blurs the edges between bands.
        let inner = (0..<64 * 64).filter { (4..<12).contains($0 % 16) }
        let got = pixels(page.bytes, size: 3)
        #expect(
            difference(inner.flatMap { got[$0] }, inner.flatMap { KnownPicture.bands.pixels[$0] })
                < 32)
    }

    @Test("CMYK with 16 bits becomes RGB with 16 bits")
    func inks() async throws {
        // Without a profile, ImageMagick computes each ink as the complement of red, green or blue,
        // and moves the common part to black.
        let page = try await Self.page(
            "convert in.ppm -colorspace CMYK -depth 16 a.tif", "a.tif", of: .steps)
        #expect(page.description.format == .rgb16)
        #expect(
            difference(words(page.bytes).map { UInt8($0 >> 8) }, KnownPicture.steps.samples) <= 1)
    }

    @Test(
        "A TIFF's extra sample is alpha only if the file says so",
        arguments: ["contig", "separate"])
    func infrared(planes: String) async throws {
        let scratch = try Scratch()
        try scratch.file("in.ppm", KnownPicture.steps.ppm)
        // The extra sample is 0 everywhere, as infrared may be.
        try make(
            in: scratch,
            "convert in.ppm -alpha set -channel A -evaluate set 0 +channel -define tiff:alpha=unspecified a.tif; tiffcp -p \(planes) a.tif b.tif; tiffinfo b.tif | grep -q unspecified"
        )
        let page = try #require(try await record(scratch.path + "/b.tif").pages.first)
        #expect(mismatch(page.bytes, KnownPicture.steps.samples) == nil)
    }

    @Test(
        "An animation's first picture is the page, and the page reports it",
        arguments: [
            ("convert in.ppm other.ppm a.gif", "a.gif"),
            (
                "/usr/bin/python3 -c \"from PIL import Image; Image.open('in.ppm').save('a.webp', save_all=True, lossless=True, append_images=[Image.open('other.ppm')])\"",
                "a.webp"
            ),
            ("convert -delay 50 in.ppm other.ppm a.gif; cjxl a.gif a.jxl -d 0", "a.jxl"),
        ])
    func animation(commands: String, file: String) async throws {
        let page = try await Self.page(
            "convert in.ppm -negate other.ppm; \(commands)", file, of: .bands)
        #expect(mismatch(page.bytes, KnownPicture.bands.samples) == nil)
        #expect(
            page.description.problems == [
                "The file is an animation; the page is its first picture."
            ])
    }

    @Test("Every picture of a HEIC is a page, in the file's order, without thumbnails")
    func pictures() async throws {
        let scratch = try Scratch()
        try scratch.file("in.ppm", KnownPicture.bands.ppm)
        try make(
            in: scratch,
            "convert in.ppm PNG24:a.png; convert in.ppm -flop PNG24:b.png; convert in.ppm -rotate 90 PNG24:c.png; heif-enc a.png b.png c.png -t 16 -q 90 -o a.heic"
        )
        let recording = try await record(scratch.path + "/a.heic")
        #expect(recording.labels == ["a.heic, page 1", "a.heic, page 2", "a.heic, page 3"])
        let firsts = recording.pages.map { pixels($0.bytes, size: 3)[6 * 64 + 6] }
        let expected: [[UInt8]] = [[230, 40, 30], [240, 240, 240], [230, 40, 30]]
        #expect(zip(firsts, expected).allSatisfy { difference($0, $1) < 24 })
        #expect(recording.pages.allSatisfy { $0.description.width == 64 })
    }
}
