import CaptureKit
import FileImportBackend
import Testing

@Suite struct BadFileTests {
    @Test(
        "A file of unknown format is damaged data, and the error says what it looks like",
        arguments: [
            (
                "a.jpg", "Dear reader,\nthis is a letter.\n",
                "named like a JPEG file, but it looks like text"
            ),
            ("a", "", "empty"),
            ("a", "\u{1}\u{2}\u{3}", "no known format"),
        ])
    func unknown(name: String, content: String, expected: String) async throws {
        let scratch = try Scratch()
        let path = try scratch.file(name, Array(content.utf8))
        let error = try await failure(path)
        #expect(error.code == .damagedData)
        #expect(error.message.contains(path))
        #expect(error.message.contains(expected), "\(error.message)")
        #expect(error.advice?.contains("TIFF") == true)
    }

    @Test(
        "A file of a known but unsupported kind is refused by name, with advice",
        arguments: [
            ("a.pdf", "<!DOCTYPE html><html>Not found</html>", "web page", "print it as PDF"),
            ("a", "PK\u{3}\u{4}stuff", "ZIP", "Unpack"),
            ("a.cbz", "PK\u{3}\u{4}01.jpg", "CBZ", "Unpack"),
            (
                "a", "PK\u{3}\u{4}................[Content_Types].xml word/document.xml", "DOCX",
                "PDF"
            ),
            ("a.docx", "PK\u{3}\u{4}................[Content_Types].xml", "DOCX", "PDF"),
            (
                "a", "PK\u{3}\u{4}....mimetypeapplication/vnd.oasis.opendocument.text",
                "OpenDocument", "PDF"
            ),
            (
                "a", "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "SVG",
                "PNG"
            ),
            (
                "a", "Received: from x by y\r\nFrom: a@example.org\r\nDate: today\r\n\r\nHi", "EML",
                "attachments"
            ),
            ("a", "%!PS-Adobe-3.0\n", "PostScript", "PDF"),
            ("a", "AT&TFORM....DJVU", "DjVu", "PDF"),
        ])
    func foreign(name: String, content: String, kind: String, advice: String) async throws {
        let scratch = try Scratch()
        let error = try await failure(scratch.file(name, Array(content.utf8)))
        #expect(error.code == .unsupported)
        #expect(
            error.message.contains(kind) && !error.message.contains("damaged"), "\(error.message)")
        #expect(error.advice?.contains(advice) == true, "\(error.advice ?? "")")
    }

    @Test("A system file without a size is not reported as empty")
    func sizeless() async throws {
        let error = try await failure("/proc/version")
        #expect(error.code == .unsupported)
        #expect(error.message.contains("no size") && error.advice?.contains("import -") == true)
    }

    @Test("The content decides about the format, not the name")
    func mislabeled() async throws {
        let scratch = try Scratch()
        let path = try scratch.file("picture.jpg", Array("P5 1 1 255\nx".utf8))
        #expect(try await record(path).pages.map(\.bytes) == [[0x78]])
    }

    /// Files of few bytes whose headers announce 30,000 × 30,000 pixels.
    static var giants: [(String, [UInt8])] {
        get throws {
            let small = try makeJPEG(
                width: 8, height: 8, gray: true, pixels: .init(repeating: 9, count: 64))
            var jpeg = small
            // The frame header: marker, length, precision, height, width (T.81, B.2.2).
            let frame = (0..<jpeg.count - 1).first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 }!
            jpeg.replaceSubrange(frame + 5..<frame + 9, with: big16(30_000) + big16(30_000))
            let png = PNGFixture(
                width: 30_000, height: 30_000, depth: 8, colorType: 2, rows: [[0]])
            let tiff = TIFFFixture([.init(width: 30_000, height: 30_000, pixels: [0])])
            return [
                ("a.jpg", jpeg), ("a.png", png.bytes()), ("a.tif", tiff.bytes),
                ("a.ppm", Array("P6 30000 30000 255\n".utf8)),
            ]
        }
    }

    @Test(
        "A picture of 30,000 × 30,000 pixels is refused before memory is allocated for it",
        arguments: try giants)
    func giant(name: String, bytes: [UInt8]) async throws {
        let scratch = try Scratch()
        let error = try await failure(scratch.file(name, bytes))
        #expect(error.code == .tooLarge)
        #expect(error.message.contains(name))
        #expect(error.message.contains("900 megapixels"), "\(error.message)")
    }

    @Test("Sides, decoded bytes and file sizes have limits")
    func limits() async throws {
        let scratch = try Scratch()
        let wide = try scratch.file("wide.pgm", Array("P5 70000 1 255\n".utf8))
        #expect(try await failure(wide).code == .tooLarge)
        let path = try scratch.file("a.pgm", Array("P5 4 4 255\n0123456789abcdef".utf8))
        for limits in [
            ImportLimits(maximumPixels: 15), ImportLimits(maximumDecodedBytes: 15),
            ImportLimits(maximumFileBytes: 20), ImportLimits(maximumSide: 3),
        ] {
            #expect(try await failure(path, limits: limits).code == .tooLarge)
        }
        #expect(try await record(path, limits: ImportLimits(maximumPixels: 16)).pages.count == 1)
        // Deep pixels have a separate limit, and gray pixels have the general one.
        let deep = ImportLimits(maximumDeepPixels: 15)
        #expect(try await record(path, limits: deep).pages.count == 1)
        let color = try scratch.file("a.ppm", Array("P6 4 4 255\n".utf8) + Array(0..<48))
        #expect(try await failure(color, limits: deep).code == .tooLarge)
        let room = ImportLimits(maximumDeepPixels: 16)
        #expect(try await record(color, limits: room).pages.count == 1)
    }

    @Test("A file of more pages than the limit is refused")
    func pages() async throws {
        let scratch = try Scratch()
        let fixture = TIFFFixture((1...5).map { .init(width: 1, height: 1, pixels: [UInt8($0)]) })
        let path = try scratch.file("a.tif", fixture.bytes)
        let error = try await failure(path, limits: ImportLimits(maximumPages: 4))
        #expect(error.code == .tooLarge)
        #expect(try await record(path, limits: ImportLimits(maximumPages: 5)).pages.count == 5)
        let pdf = try scratch.file(
            "a.pdf", PDFFixture.bytes((1...5).map { _ in .init(content: "") }))
        #expect(try await failure(pdf, limits: ImportLimits(maximumPages: 4)).code == .tooLarge)
    }
}
