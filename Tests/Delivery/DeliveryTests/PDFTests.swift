import Documents
import Imaging
import Testing

@testable import Delivery

@Suite struct PDFTests {
    @Test("The file has a title, dates, a producer and a language, and is linearized")
    func head() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        let info = DocumentInfo(
            title: "Räkning <Ω> (1) \\ 請求書", created: 1_777_627_800, language: "sv")
        try deliver([samplePage(samplePicture(.gray8))], to: path, info: info)
        try expectSound(path)
        let answer = try run("pdfinfo", "-isodates", path).output
        #expect(field("Title:", in: answer) == "Räkning <Ω> (1) \\ 請求書")
        #expect(field("Producer:", in: answer) == "Copystand")
        #expect(field("CreationDate:", in: answer) == "2026-05-01T09:30:00Z")
        #expect(field("ModDate:", in: answer) == "2026-05-01T09:30:00Z")
        #expect(field("Optimized:", in: answer) == "yes")
        #expect(field("Metadata Stream:", in: answer) == "yes")
        let metadata = try run("pdfinfo", "-meta", path).output
        try put(Array(metadata.utf8), folder.path + "/meta.xml")
        let xml = try run(
            "xmllint", "--xpath", "string(//*[local-name()='title'])", folder.path + "/meta.xml")
        #expect(xml.output.contains("Räkning <Ω> (1) \\ 請求書"), "\(xml)")
        #expect(metadata.contains("<xmp:CreateDate>2026-05-01T09:30:00Z</xmp:CreateDate>"))
        let root = try run("qpdf", "--show-object=trailer", path).output
        #expect(root.contains("/Info"))
        #expect(
            try run("qpdf", "--qdf", "--object-streams=disable", path, "-").output.contains(
                "/Lang (sv)"))
    }

    @Test("A document without a title and a language has neither")
    func bare() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        let info = DocumentInfo(title: "", created: .nan, language: "no/such")
        try deliver([samplePage(samplePicture(.gray8))], to: path, info: info)
        try expectSound(path)
        #expect(field("Title:", in: try run("pdfinfo", path).output) == nil)
        #expect(
            !(try run("qpdf", "--qdf", "--object-streams=disable", path, "-").output.contains(
                "/Lang")))
    }

    @Test(
        "The page's size follows from the resolution",
        arguments: [
            (2480, 3508, 300.0, 595.2, 841.92), (1240, 1754, 150, 595.2, 841.92),
            (100, 100, 100, 72, 72),
            (600, 20, 72, 600, 20), (10, 10, 0, 3, 3), (300, 600, -.infinity, 72, 144),
            (300, 600, .nan, 72, 144), (3000, 1500, 1, 14_400, 7_200), (1, 4, 72, 3, 4),
        ] as [(Int, Int, Double, Double, Double)])
    func size(width: Int, height: Int, dpi: Double, pointsWide: Double, pointsHigh: Double) throws {
        let picture = Raster(width: width, height: height, format: .bilevel)
        let size = PDFPageSize(samplePage(picture, resolution: dpi))
        #expect(abs(size.width - pointsWide) < 0.001)
        #expect(abs(size.height - pointsHigh) < 0.001)
    }

    @Test("An A4 page is A4 in poppler")
    func a4() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        let picture = Raster(width: 2480, height: 3508, format: .bilevel)
        try deliver([samplePage(picture, resolution: 300)], to: path)
        #expect(
            field("Page size:", in: try run("pdfinfo", path).output) == "595.2 x 841.92 pts (A4)")
    }

    @Test(
        "Each kind of picture has the right compression",
        arguments: [
            (PixelFormat.bilevel, "gray 1 1 ccitt"), (.gray8, "gray 1 8 jpeg"),
            (.gray16, "gray 1 8 jpeg"),
            (.rgb8, "rgb 3 8 jpeg"), (.rgb16, "rgb 3 8 jpeg"),
        ])
    func coding(format: PixelFormat, expected: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        try deliver([samplePage(samplePicture(format))], to: path)
        try expectSound(path)
        let rows = try run("pdfimages", "-list", path).output.split(separator: "\n")
        let columns = try #require(rows.last).split(separator: " ").map(String.init)
        #expect(columns[3...4] == ["620", "877"])
        #expect(columns[5...8].joined(separator: " ") == expected)
        #expect(columns[12...13] == ["75", "75"])
    }

    @Test(
        "A JPEG with unchanged pixels is included byte for byte",
        arguments: [PixelFormat.gray8, .rgb8])
    func passThrough(format: PixelFormat) throws {
        let folder = try TemporaryFolder()
        let picture = samplePicture(format)
        let original = try picture.encodedJPEG(quality: 93)
        try deliver([samplePage(picture, originalJPEG: original)], to: folder.path + "/a.pdf")
        try expectSound(folder.path + "/a.pdf")
        #expect(
            try run("pdfimages", "-all", folder.path + "/a.pdf", folder.path + "/i").status == 0)
        #expect(try contents(folder.path + "/i-000.jpg") == original)
    }

    @Test("A bilevel page is rendered with exactly its pixels")
    func exactBilevel() throws {
        let folder = try TemporaryFolder()
        let picture = samplePicture(.bilevel, width: 203, height: 111, resolution: 72)
        try deliver([samplePage(picture, resolution: 72)], to: folder.path + "/a.pdf")
        // Poppler's own renderer resamples even at 1:1, and ghostscript does not.
        let shown = try run(
            "gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=pgmraw", "-r72",
            "-sOutputFile=\(folder.path)/p.pgm", folder.path + "/a.pdf")
        #expect(shown.status == 0)
        let file = try contents(folder.path + "/p.pgm")
        try #require(file.count > 203 * 111)
        let pixels = Array(file.suffix(203 * 111))
        let wrong = picture.withBytes { bytes in
            (0..<203 * 111).count { index in
                let (row, column) = (index / 203, index % 203)
                let isBlack = bytes[row * picture.stride + column / 8] >> (7 - column % 8) & 1 == 1
                return pixels[index] != (isBlack ? 0 : 255)
            }
        }
        #expect(wrong == 0)
    }

    @Test("The same document always gives the same bytes")
    func reproducible() throws {
        let folder = try TemporaryFolder()
        let page = samplePage(
            samplePicture(.gray8), text: sampleText([sampleLine(["same"], y: 90)]))
        try deliver([page, page], to: folder.path + "/a.pdf")
        try deliver([page, page], to: folder.path + "/b.pdf")
        #expect(try contents(folder.path + "/a.pdf") == contents(folder.path + "/b.pdf"))
    }

    @Test("A higher quality makes larger files, and color has a higher default")
    func quality() throws {
        let gray = samplePage(samplePicture(.gray8))
        let low = try PDFPicture(gray, quality: 20).bytes.count
        let chosen = try PDFPicture(gray, quality: 0)
        let high = try PDFPicture(gray, quality: 95).bytes.count
        #expect(low < chosen.bytes.count && chosen.bytes.count < high)
        #expect(chosen.bytes == (try PDFPicture(gray, quality: 50).bytes))
        let color = samplePage(samplePicture(.rgb8))
        #expect(try PDFPicture(color, quality: 0).bytes == PDFPicture(color, quality: 70).bytes)
    }

    @Test("Many pages keep their order and sizes")
    func manyPages() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        let pages = (1...40).map { number in
            samplePage(
                Raster(width: 100 + number, height: 200, format: .bilevel), number: number,
                text: sampleText([sampleLine(["page\(number)"], x: 5, y: 9)]), resolution: 72)
        }
        try deliver(pages, to: path)
        try expectSound(path)
        let answer = try run("pdfinfo", "-l", "40", path).output
        #expect(field("Page    7 size:", in: answer)?.hasPrefix("107 x 200") == true)
        let text = try run("pdftotext", "-raw", path, "-").output
        #expect(text.split(whereSeparator: \.isWhitespace) == (1...40).map { "page\($0)" })
    }
}
