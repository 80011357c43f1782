import ColorProfiles
import Documents
import Imaging
import Testing

@testable import Delivery

/// Checks the requirements of ISO 19005-2 for PDF/A-2b by their clauses.
///
/// Debian has no validator, so these tests check each rule that concerns a file of pictures and
/// invisible text.
@Suite struct PDFArchivalTests {
    private func options(_ compression: PDFOptions.Compression) -> FileSinkOptions {
        var options = FileSinkOptions()
        options.pdf.archival = .pdfA2b
        options.pdf.compression = compression
        return options
    }

    private func document(
        _ folder: TemporaryFolder, _ compression: PDFOptions.Compression = .jpeg
    ) throws -> String {
        let path = folder.path + "/a.pdf"
        let picture = writtenPage(inks: [(20, 20, 20), (180, 30, 30)])
        let text = sampleText([sampleLine(["räksmörgås", "請求書"], y: 90)])
        let info = DocumentInfo(title: "Räkning <1> & 2", created: 1_777_627_800, language: "sv")
        try deliver(
            [
                samplePage(picture, text: text, resolution: 300),
                samplePage(samplePicture(.bilevel), text: text),
            ], to: path, info: info, options: options(compression))
        return path
    }

    /// The file with its objects uncompressed.
    private func opened(_ path: String) throws -> String {
        try run("qpdf", "--qdf", "--object-streams=disable", "--stream-data=uncompress", path, "-")
            .output
    }

    @Test(
        "The file keeps the rules of its structure", arguments: PDFOptions.Compression.allCases)
    func structure(compression: PDFOptions.Compression) throws {
        let folder = try TemporaryFolder()
        let path = try document(folder, compression)
        try expectSound(path)
        let bytes = try contents(path)
        // 6.1.2: the version, and a comment of at least four bytes above 127.
        #expect(bytes.prefix(7).elementsEqual("%PDF-1.".utf8))
        let second = bytes.split(separator: 10, maxSplits: 2)[1]
        #expect(second.first == 37 && second.dropFirst().prefix(4).allSatisfy { $0 > 127 })
        let file = try opened(path)
        // 6.1.3: an identifier, and no encryption.
        let trailer = try run("qpdf", "--show-object=trailer", path).output
        #expect(trailer.contains("/ID [") && !trailer.contains("/Encrypt"))
        // 6.1.7, 6.1.10: no stream in another file, no LZW. 6.2.8: no interpolation, no alternates.
        // 6.2.5: no transfer functions. 6.3, 6.5: no annotations, forms or actions. 6.4: no soft
        // masks or blending. 6.9: nothing optional.
        for forbidden in [
            "/FFilter", "/LZWDecode", "/Interpolate true", "/Alternates", "/OPI", "/TR ", "/SMask",
            "/BM", "/Annots", "/AcroForm", "/AA", "/OpenAction", "/JavaScript", "/EmbeddedFiles",
            "/OCProperties", "/PostScript", "/Crypt",
        ] { #expect(!file.contains(forbidden), "\(forbidden)") }
    }

    @Test("Colors are defined by an sRGB profile that color management can use (6.2.3)")
    func outputIntent() throws {
        let folder = try TemporaryFolder()
        let file = try opened(try document(folder))
        #expect(file.contains("/OutputIntents"))
        #expect(file.contains("/S /GTS_PDFA1"))
        #expect(file.contains("/OutputConditionIdentifier (sRGB IEC61966-2.1)"))
        try put(MadeProfile.sRGB.bytes, folder.path + "/srgb.icc")
        // Another program checks the profile: littleCMS, through Python's Pillow, finds white and a
        // middle gray where sRGB has them.
        let answer = try run(
            "/usr/bin/python3", "-c",
            """
            import sys
            from PIL import Image, ImageCms
            ours = ImageCms.getOpenProfile(sys.argv[1])
            print(ImageCms.getProfileDescription(ours).strip())
            colors = [(255, 255, 255), (0, 0, 0), (128, 128, 128), (200, 30, 60), (10, 180, 240)]
            picture = Image.new("RGB", (5, 1))
            picture.putdata(colors)
            theirs = ImageCms.createProfile("sRGB")
            got = list(ImageCms.profileToProfile(picture, ours, theirs).getdata())
            print(max(abs(a - b) for one, two in zip(colors, got) for a, b in zip(one, two)))
            """, folder.path + "/srgb.icc")
        let lines = answer.output.split(separator: "\n")
        #expect(lines.first == "sRGB IEC61966-2.1", "\(answer)")
        #expect(lines.last.flatMap { Int($0) }.map { $0 <= 1 } == true, "\(answer)")
    }

    @Test(
        "XMP is uncompressed, and names the conformance and the values of the information dictionary (6.6)"
    )
    func metadata() throws {
        let folder = try TemporaryFolder()
        let path = try document(folder)
        let metadata = try run("pdfinfo", "-meta", path).output
        #expect(metadata.contains("<pdfaid:part>2</pdfaid:part>"))
        #expect(metadata.contains("<pdfaid:conformance>B</pdfaid:conformance>"))
        #expect(metadata.contains("xmlns:pdfaid=\"http://www.aiim.org/pdfa/ns/id/\""))
        try put(Array(metadata.utf8), folder.path + "/meta.xml")
        func xmp(_ name: String) throws -> String {
            try run(
                "xmllint", "--xpath", "normalize-space(//*[local-name()='\(name)'])",
                folder.path + "/meta.xml"
            ).output.split(separator: "\n").joined()
        }
        let info = try run("pdfinfo", "-isodates", path).output
        #expect(try xmp("title") == field("Title:", in: info))
        #expect(try xmp("Producer") == field("Producer:", in: info))
        #expect(try xmp("CreateDate") == field("CreationDate:", in: info))
        #expect(try xmp("ModifyDate") == field("ModDate:", in: info))
        // The metadata are not compressed, so that programs without support for PDF find them.
        let text = String(decoding: try contents(path), as: UTF8.self)
        #expect(text.contains("<pdfaid:part>2</pdfaid:part>"))
        // A document that is not PDF/A must not claim conformance.
        try deliver([samplePage(samplePicture(.gray8))], to: folder.path + "/plain.pdf")
        #expect(
            !(try run("pdfinfo", "-meta", folder.path + "/plain.pdf").output.contains("pdfaid:part"))
        )
    }

    @Test("Fonts are embedded, with their correct widths (6.2.11)")
    func fonts() throws {
        let folder = try TemporaryFolder()
        let path = try document(folder)
        let rows = try run("pdffonts", path).output.split(separator: "\n").dropFirst(2)
        #expect(!rows.isEmpty)
        for row in rows {
            // name, type (two words), encoding, emb, sub, uni, object
            let columns = row.split(separator: " ")
            #expect(columns[4] == "yes", "\(row)")
        }
        let file = try opened(path)
        #expect(file.contains("/CIDToGIDMap"))
        #expect(file.contains("/DW \(GlyphlessFont.advance)"))
        #expect(GlyphlessFont.unitsPerEm == 1000)
    }

    @Test("A PDF/A with a password is refused before anything is written")
    func contradiction() throws {
        let folder = try TemporaryFolder()
        var both = options(.jpeg)
        both.pdf.protection = PDFProtection(password: "secret")
        let refusal = failure { _ = try FileSink(path: folder.path + "/a.pdf", options: both) }
        #expect(refusal?.code == .invalidOption)
        #expect(refusal?.message.contains("ISO 19005") == true)
        #expect(refusal?.message.contains("secret") == false)
    }
}
