import CaptureKit
import Testing

/// Colors of files with profiles become sRGB, within two levels of what `tificc` computes from the
/// same samples.
@Suite struct ColorTests {
    /// The command that makes the picture `a`, and the command that decodes it into `plain.tif`,
    /// ignoring its profile.
    static let coded: [(String, String, String)] = [
        ("a.tif", "convert in.tif -profile $P/a98.icc a.tif", "plain in.ppm"),
        ("a.png", "convert in.tif -profile $P/a98.icc a.png", "plain in.ppm"),
        (
            "a.jpg", "convert in.tif -profile $P/a98.icc -quality 95 a.jpg",
            "plain a.jpg"
        ),
        (
            "a.webp",
            ColorMaking.script(
                "Image.open('in.ppm').save('a.webp', lossless=True, icc_profile=open('$P/a98.icc', 'rb').read())"
            ),
            "plain in.ppm"
        ),
        (
            "a.heic", "convert in.tif -profile $P/a98.icc p.png; heif-enc -q 95 p.png -o a.heic",
            "heif-convert a.heic h.png; plain h.png"
        ),
        (
            "a.avif", "convert in.tif -profile $P/a98.icc p.png; heif-enc -A -q 95 p.png -o a.avif",
            "heif-convert a.avif h.png; plain h.png"
        ),
        (
            "a.jxl", "convert in.tif -profile $P/a98.icc p.png; cjxl p.png a.jxl -d 0",
            "plain in.ppm"
        ),
        (
            "a.jp2",
            "opj_compress -i in.ppm -o a.jp2; "
                + ColorMaking.script("jp2_with('a.jp2', open('$P/a98.icc', 'rb').read())"),
            "plain in.ppm"
        ),
        (
            "a.bmp", ColorMaking.script("bmp_with('a.bmp', open('$P/a98.icc', 'rb').read())"),
            "plain in.ppm"
        ),
        (
            "a.png",
            "convert in.tif -colors 60 -type palette p.png; "
                + ColorMaking.script(
                    "Image.open('p.png').save('a.png', icc_profile=open('$P/a98.icc', 'rb').read())"
                ),
            "plain p.png"
        ),
    ]

    @Test("A picture of every format with the profile of Adobe RGB", arguments: coded)
    func adobe(file: String, making: String, decoding: String) async throws {
        let scratch = try ColorMaking.scratch(
            "\(making); \(decoding); tificc -c0 -o$P/srgb.icc -i$P/a98.icc plain.tif ref.tif")
        let recording = try await record(scratch.path + "/" + file)
        let page = try #require(recording.pages.first)
        #expect(page.description.problems == nil)
        let reference = try ColorMaking.samples(scratch, "ref.tif")
        #expect(difference(page.bytes, reference) <= 2)
        // Without a conversion green would be far off.
        #expect(difference(reference, try ColorMaking.samples(scratch, "plain.tif")) > 10)
        if file == "a.jpg" {
            #expect(page.original?.bytes == (try Scratch.read(scratch.path + "/a.jpg")))
        }
    }

    static let inkFiles: [(String, String)] = [
        ("a.tif", "convert c.tif -profile $P/ps_cmyk.icc a.tif"),
        (
            "a.jpg",
            "convert c.tif -profile $P/ps_cmyk.icc -quality 98 a.jpg; "
                + ColorMaking.script("Image.open('a.jpg').save('c.tif')")
        ),
    ]

    @Test("Inks with a profile", arguments: inkFiles)
    func inks(file: String, making: String) async throws {
        let scratch = try ColorMaking.scratch(
            "tificc -o$P/ps_cmyk.icc in.tif c.tif; \(making); tificc -c0 -o$P/srgb.icc -i$P/ps_cmyk.icc c.tif ref.tif"
        )
        let page = try #require(try await record(scratch.path + "/" + file).pages.first)
        #expect(difference(page.bytes, try ColorMaking.samples(scratch, "ref.tif")) <= 2)
        try make(
            in: scratch,
            "convert '\(file)' -profile /usr/share/color/icc/ghostscript/srgb.icc -depth 8 rgb:magick.raw"
        )
        #expect(difference(page.bytes, try Scratch.read(scratch.path + "/magick.raw")) <= 2)
    }

    @Test("Gray with a profile stays gray", arguments: ["a.tif", "a.png"])
    func gray(file: String) async throws {
        let scratch = try ColorMaking.scratch(
            """
            \(ColorMaking.script("Image.open('in.ppm').convert('L').save('g.tif')")); convert \
            g.tif -profile $P/ps_gray.icc \(file)
            tificc -c0 -o$P/srgb.icc -i$P/ps_gray.icc g.tif ref.tif
            """)
        let page = try #require(try await record(scratch.path + "/" + file).pages.first)
        #expect(page.description.format == .gray8)
        #expect(
            difference(page.bytes, try ColorMaking.samples(scratch, "ref.tif", gray: true)) <= 2)
    }

    @Test("16 bits with a profile stay 16 bits", arguments: ["a.tif", "a.png"])
    func deep(file: String) async throws {
        let scratch = try ColorMaking.scratch(
            "convert in.ppm -depth 16 -evaluate add 97 d.tif; convert d.tif -profile $P/a98.icc \(file); tificc -c0 -o$P/srgb.icc -i$P/a98.icc in.tif ref.tif"
        )
        let page = try #require(try await record(scratch.path + "/" + file).pages.first)
        #expect(page.description.format == .rgb16)
        let high = stride(from: 1, to: page.bytes.count, by: 2).map { page.bytes[$0] }
        #expect(difference(high, try ColorMaking.samples(scratch, "ref.tif")) <= 2)
    }

    @Test("L*a*b* colors for D50 and D65 are converted")
    func lab() async throws {
        let scratch = try ColorMaking.scratch(
            "tificc '-o*Lab' in.tif a.tif; tificc -c0 -o$P/srgb.icc '-i*Lab' a.tif ref.tif; convert in.tif -colorspace Lab b.tif; "
                + ColorMaking.script("lab_reference('b.tif', 'lab.ppm')")
        )
        let page = try #require(try await record(scratch.path + "/a.tif").pages.first)
        #expect(difference(page.bytes, try ColorMaking.samples(scratch, "ref.tif")) <= 2)
        let other = try #require(try await record(scratch.path + "/b.tif").pages.first)
        #expect(difference(other.bytes, try ColorMaking.samples(scratch, "lab.ppm")) <= 2)
    }

    static let formulas: [(String, String, String)] = [
        (
            "a.png", "png_with('a.png', (b'gAMA', struct.pack('>I', 100000)))",
            "reference('in.ppm', 'ref.ppm', power=1)"
        ),
        (
            "a.png",
            "png_with('a.png', (b'gAMA', struct.pack('>I', 45455)), (b'cHRM', struct.pack('>8I', 31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000)))",
            "reference('in.ppm', 'ref.ppm', ADOBE, 2.2)"
        ),
        (
            "a.png", "png_with('a.png', (b'gAMA', struct.pack('>I', 45455)))",
            "Image.open('in.ppm').save('ref.ppm')"
        ),
        (
            "a.png", "png_with('a.png', (b'sRGB', bytes(1)), (b'gAMA', struct.pack('>I', 100000)))",
            "Image.open('in.ppm').save('ref.ppm')"
        ),
        (
            "a.png",
            "png_with('a.png', (b'gAMA', struct.pack('>I', 100000)), (b'cICP', bytes([12, 13, 0, 1])))",
            "reference('in.ppm', 'ref.ppm', P3)"
        ),
        (
            "a.jpg", "Image.open('in.ppm').save('a.jpg', quality=95, exif=adobe_exif())",
            "reference('a.jpg', 'ref.ppm', ADOBE, 2 + 51 / 256)"
        ),
        (
            "a.png", "Image.open('in.ppm').save('a.png', exif=adobe_exif())",
            "reference('in.ppm', 'ref.ppm', ADOBE, 2 + 51 / 256)"
        ),
    ]

    @Test("Colors without a profile, by the formulas of their standards", arguments: formulas)
    func formula(file: String, making: String, expected: String) async throws {
        let scratch = try ColorMaking.scratch(
            ColorMaking.script(making) + "; " + ColorMaking.script(expected))
        let page = try #require(try await record(scratch.path + "/" + file).pages.first)
        #expect(page.description.problems == nil)
        #expect(difference(page.bytes, try ColorMaking.samples(scratch, "ref.ppm")) <= 2)
    }

    @Test("The numbers of Display P3 in an AVIF picture")
    func numbers() async throws {
        let scratch = try ColorMaking.scratch(
            """
            convert in.ppm p.png
            heif-enc -A -q 95 p.png -o a.avif
            \(ColorMaking.script("renamed_colors('a.avif', 12, 13)"))
            heif-convert a.avif h.png; convert h.png -strip plain.ppm
            \(ColorMaking.script("reference('plain.ppm', 'ref.ppm', P3)"))
            """)
        let page = try #require(try await record(scratch.path + "/a.avif").pages.first)
        #expect(difference(page.bytes, try ColorMaking.samples(scratch, "ref.ppm")) <= 2)
    }

    @Test(
        "Colors under alpha are converted before white is put behind them",
        arguments: ["a.png", "a.tif", "a.webp"])
    func alpha(file: String) async throws {
        let more = file == "a.webp" ? ", lossless=True, exact=True" : ""
        let scratch = try ColorMaking.scratch(
            """
            tificc -c0 -o$P/srgb.icc -i$P/a98.icc in.tif c.tif
            \(ColorMaking.script("""
            a = Image.linear_gradient('L').resize((64, 48)); p = Image.open('in.ppm'); p.putalpha(a);\
            p.save('\(file)', icc_profile=open('$P/a98.icc', 'rb').read()\(more));\
            w = Image.new('RGB', (64, 48), 'white'); w.paste(Image.open('c.tif').convert('RGB'), mask=a); w.save('ref.ppm')
            """))
            """)
        let page = try #require(try await record(scratch.path + "/" + file).pages.first)
        #expect(difference(page.bytes, try ColorMaking.samples(scratch, "ref.ppm")) <= 2)
    }

    static let bad: [(String, String, String)] = [
        (
            "a.jpg",
            "Image.open('in.ppm').save('a.jpg', icc_profile=open('$P/a98.icc', 'rb').read()[:400])",
            "damaged"
        ),
        (
            "a.jpg",
            "Image.open('in.ppm').convert('L').save('a.jpg', icc_profile=open('$P/a98.icc', 'rb').read())",
            "does not fit"
        ),
        (
            "a.jpg",
            "Image.open('in.ppm').save('a.jpg', icc_profile=open('$P/ps_cmyk.icc', 'rb').read())",
            "does not fit"
        ),
        (
            "a.png",
            "Image.open('in.ppm').convert('L').save('a.png', icc_profile=open('$P/a98.icc', 'rb').read())",
            "does not fit"
        ),
        ("a.png", "Image.open('in.ppm').save('a.png', icc_profile=bytes(500))", "damaged"),
        ("a.tif", "Image.open('in.ppm').save('a.tif', icc_profile=b'no profile')", "damaged"),
        ("a.tif", "Image.open('in.ppm').save('a.tif', icc_profile=bytes(17 << 20))", "too large"),
        (
            "a.webp",
            "Image.open('in.ppm').save('a.webp', lossless=True, icc_profile=open('$P/ps_gray.icc', 'rb').read())",
            "does not fit"
        ),
    ]

    @Test("A profile that can't be used is reported and left out", arguments: bad)
    func fault(file: String, making: String, word: String) async throws {
        let scratch = try ColorMaking.scratch(ColorMaking.script(making))
        let page = try #require(try await record(scratch.path + "/" + file).pages.first)
        let problems = page.description.problems ?? []
        #expect(
            problems.count == 1 && problems[0].contains(word)
                && problems[0].contains("color profile"), "\(problems)")
        let isGray = page.description.format == .gray8
        #expect(difference(page.bytes, try ColorMaking.samples(scratch, file, gray: isGray)) <= 1)
        if let original = page.original {
            // The original that is passed on lacks the profile too.
            #expect(
                !original.bytes.indices.dropLast(11).contains {
                    original.bytes[$0..<$0 + 11].elementsEqual("ICC_PROFILE".utf8)
                })
        }
    }

    @Test("A black-and-white picture stays so with any profile", arguments: ["a.png", "a.tif"])
    func bilevel(file: String) async throws {
        let scratch = try ColorMaking.scratch(
            "convert in.tif -colorspace gray -threshold 50% -type bilevel -depth 1 b.png; convert b.png -profile $P/ps_gray.icc -depth 1 \(file)"
        )
        let page = try #require(try await record(scratch.path + "/" + file).pages.first)
        #expect(page.description.format == .bilevel && page.description.problems == nil)
    }

    @Test("A JPEG 2000 picture whose last tiles are missing shows the others")
    func missingTiles() async throws {
        let scratch = try Scratch()
        let picture = KnownPicture(width: 256, height: 256) { x, y in
            [UInt8(x), UInt8(y), UInt8((x &* 7 &+ y &* 13) & 255)]
        }
        try scratch.file("in.ppm", picture.ppm)
        try make(in: scratch, "opj_compress -i in.ppm -t 64,64 -o a.jp2")
        let whole = try Scratch.read(scratch.path + "/a.jp2")
        let path = try scratch.file("cut.jp2", Array(whole.prefix(whole.count * 7 / 10)))
        let page = try await damagedPage(path)
        // The first of four rows of tiles is whole; the last one is only white.
        #expect(page.bytes.prefix(256 * 64 * 3).elementsEqual(picture.samples.prefix(256 * 64 * 3)))
        #expect(page.bytes.suffix(256 * 3).allSatisfy { $0 == 255 })
    }

    static let documents: [(String, String)] = [
        ("open('in.ppm', 'rb').read()[-64 * 48 * 3:], b''", "in.tif"),
        ("open('a.jpg', 'rb').read(), b'/Filter/DCTDecode'", "a.jpg"),
    ]

    @Test("A PDF's page that is one picture with a profile", arguments: documents)
    func document(stream: String, plain: String) async throws {
        let scratch = try ColorMaking.scratch(
            """
            convert in.tif -quality 95 a.jpg; plain \(plain)
            \(ColorMaking.script("pdf_with('a.pdf', \(stream), open('$P/a98.icc', 'rb').read(), 3)"))
            tificc -c0 -o$P/srgb.icc -i$P/a98.icc plain.tif ref.tif
            """)
        let page = try #require(try await record(scratch.path + "/a.pdf").pages.first)
        #expect(page.description.problems == nil)
        #expect(difference(page.bytes, try ColorMaking.samples(scratch, "ref.tif")) <= 2)
        guard let original = page.original else { return }
        // The original picture reports the color problem.
        try scratch.file("original.jpg", original.bytes)
        let again = try #require(try await record(scratch.path + "/original.jpg").pages.first)
        #expect(again.bytes == page.bytes)
    }

    @Test("A PDF's picture of inks with a profile")
    func documentOfInks() async throws {
        let scratch = try ColorMaking.scratch(
            """
            tificc -o$P/ps_cmyk.icc in.tif c.tif; convert c.tif -depth 8 cmyk:c.raw
            \(ColorMaking.script("pdf_with('a.pdf', open('c.raw', 'rb').read(), b'', open('$P/ps_cmyk.icc', 'rb').read(), 4)"))
            tificc -c0 -o$P/srgb.icc -i$P/ps_cmyk.icc c.tif ref.tif
            """)
        let page = try #require(try await record(scratch.path + "/a.pdf").pages.first)
        #expect(difference(page.bytes, try ColorMaking.samples(scratch, "ref.tif")) <= 2)
    }

    @Test(
        "A PDF's picture of L*a*b*, alone and on a page that is drawn",
        arguments: ["", "0 g 2 2 4 4 re f"])
    func documentOfLab(marks: String) async throws {
        // The corners of sRGB and a gray, by their values of D50 in published tables.
        let colors: [(lab: [Double], rgb: [UInt8])] = [
            ([54.29, 80.81, 69.89], [255, 0, 0]), ([87.82, -79.29, 80.99], [0, 255, 0]),
            ([29.57, 68.30, -112.03], [0, 0, 255]), ([53.59, 0, 0], [128, 128, 128]),
            ([100, 0, 0], [255, 255, 255]), ([0, 0, 0], [0, 0, 0]),
        ]
        var row: [UInt8] = []
        for color in colors {
            let shares = [
                color.lab[0] / 100, (color.lab[1] + 128) / 255, (color.lab[2] + 128) / 255,
            ]
            let sample = shares.map { UInt8(clamping: Int(($0 * 255).rounded())) }
            // Each takes 10 × 40 pixels, at 36 dpi.
            for _ in 0..<10 { row += sample }
        }
        let rows = [[UInt8]](repeating: row, count: 40).flatMap { $0 }
        var picture = PDFFixture.raw(width: 60, height: 40, space: "Lab", rows)
        picture.entries = picture.entries.replacing(
            "/Lab", with: "[/Lab <</WhitePoint [0.9642 1 0.8249] /Range [-128 127 -128 127]>>]")
        let scratch = try Scratch()
        let file = try scratch.file(
            "a.pdf", PDFFixture.bytes([PDFFixture.scan(picture, size: (120, 80), after: marks)]))
        let page = try #require(try await record(file).pages.first)
        let width = page.description.width
        let height = try #require(page.description.height)
        for (index, color) in colors.enumerated() {
            let middle = (2 * index + 1) * width / 12
            let at = (height / 2 * width + middle) * 3
            let drawn = Array(page.bytes[at..<at + 3])
            // A step of eight bits in a* or b* is up to ten levels of a dark component.
            let isAlike = zip(drawn, color.rgb).allSatisfy { abs(Int($0) - Int($1)) <= 10 }
            #expect(isAlike, "\(color): \(drawn)")
        }
    }

    @Test(
        "A picture with a profile on a drawn page is converted",
        arguments: [
            ("a98.icc", "Image.open('in.ppm').tobytes()", 3, "in.tif"),
            ("ps_cmyk.icc", "open('c.raw', 'rb').read()", 4, "c.tif"),
        ])
    func drawn(profile: String, stream: String, components: Int, source: String) async throws {
        let marks = "b'0 0 0 rg 10 10 4 4 re f'"
        let scratch = try ColorMaking.scratch(
            """
            tificc -o$P/ps_cmyk.icc in.tif c.tif; convert c.tif -depth 8 cmyk:c.raw
            \(ColorMaking.script("pdf_with('a.pdf', \(stream), b'', open('$P/\(profile)', 'rb').read(), \(components), \(marks))"))
            tificc -c0 -o$P/srgb.icc -i$P/\(profile) \(source) ref.tif
            """)
        let page = try #require(
            try await record(scratch.path + "/a.pdf", ["resolution": .integer(72)]).pages.first)
        #expect(page.description.facts?.origin == .rendered)
        var wanted = try ColorMaking.samples(scratch, "ref.tif")
        for y in 34..<38 {
            for x in 10..<14 {
                wanted.replaceSubrange((y * 64 + x) * 3..<(y * 64 + x) * 3 + 3, with: [0, 0, 0])
            }
        }
        #expect(difference(page.bytes, wanted) <= 2)
    }
}
