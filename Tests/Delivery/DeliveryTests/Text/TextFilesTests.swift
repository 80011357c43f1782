import Documents
import FoundationEssentials
import Imaging
import Testing

@testable import Delivery

private let blank = Raster(width: 620, height: 877, format: .bilevel)

private let twoParagraphs: PageText = {
    let box = Box(x: 60, y: 60, width: 300, height: 90)
    let first = Paragraph(
        lines: [sampleLine(["Dear", "R&D,"], y: 60), sampleLine(["<we>"], y: 80)], box: box)
    let second = Paragraph(lines: [sampleLine(["Yours\u{1}"], y: 120, baseline: false)], box: box)
    return PageText(
        blocks: [TextBlock(paragraphs: [first, second], box: box)], languages: ["eng", "deu"])
}()

private let pages = [
    samplePage(blank, text: twoParagraphs), samplePage(blank, number: 2),
    samplePage(blank, number: 3, text: sampleText([sampleLine(["End"], y: 9)])),
]

/// The text that an XPath selects in a document.
private func find(_ path: String, _ query: String) throws -> String {
    let answer = try run("xmllint", "--nonet", "--xpath", query, path)
    #expect(answer.status == 0, "\(query): \(answer.errors)")
    return answer.output.split(separator: "\n").joined(separator: "\n")
}

private func element(_ name: String) -> String { "*[local-name()='\(name)']" }

@Suite struct TextFilesTests {
    @Test("Plain text has lines, empty lines between paragraphs, form feeds between pages")
    func plain() throws {
        let folder = try TemporaryFolder()
        try deliver(pages, to: folder.path + "/a.txt")
        #expect(try text(folder.path + "/a.txt") == "Dear R&D,\n<we>\n\nYours\n\u{0C}\u{0C}End\n")
    }

    /// A line of cells, 100 pixels apart.
    private func row(_ cells: [String], y: Int) -> TextLine {
        let words = cells.enumerated().map {
            Word(
                text: $1, box: Box(x: 10 + $0 * 100, y: y, width: 10 * $1.count, height: 14),
                confidence: 1)
        }
        return TextLine(words: words, box: Box(x: 10, y: y, width: 300, height: 14))
    }

    @Test("CSV has the tables, with quotes where needed, and no formulas")
    func csv() throws {
        let folder = try TemporaryFolder()
        let table = sampleText([
            row(["Item", "Net", "Sum"], y: 10), row(["A\"4\"", "1,50", "=1+1"], y: 30),
            row(["@x", "-2.5", "-x"], y: 50),
        ])
        let pages = [
            samplePage(blank, text: table), samplePage(blank, number: 2, text: twoParagraphs),
            samplePage(blank, number: 3, text: table),
        ]
        try deliver(pages, to: folder.path + "/a.csv")
        let rows = "Item,Net,Sum\r\n\"A\"\"4\"\"\",\"1,50\",'=1+1\r\n'@x,-2.5,'-x\r\n"
        #expect(try text(folder.path + "/a.csv") == rows + "\r\n" + rows)
        let reader =
            "import csv,sys; print([len(r) for r in csv.reader(open(sys.argv[1], newline=''))])"
        let answer = try run("/usr/bin/python3", "-c", reader, folder.path + "/a.csv")
        #expect(answer.output == "[3, 3, 3, 0, 3, 3, 3]\n", "\(answer.errors)")
    }

    @Test("Without a table a CSV has each line of text as a row, and the receipt says so")
    func csvWithoutTable() throws {
        let folder = try TemporaryFolder()
        try deliver(pages, to: folder.path + "/a.csv")
        #expect(try text(folder.path + "/a.csv") == "\"Dear R&D,\"\r\n<we>\r\nYours\r\nEnd\r\n")
    }

    @Test("In hOCR there are pages, areas, paragraphs, lines and words with their properties")
    func hocr() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.hocr"
        let info = DocumentInfo(title: "A <b> & \"c\"", created: 0, language: "en")
        try deliver(pages, to: path, info: info)
        #expect(try run("xmllint", "--nonet", "--noout", path).errors == "")
        for (name, count) in [
            ("ocr_page", 3), ("ocr_carea", 2), ("ocr_par", 3), ("ocr_line", 4), ("ocrx_word", 5),
        ] {
            #expect(try find(path, "count(//*[@class='\(name)'])") == "\(count)", "\(name)")
        }
        #expect(
            try find(path, "string(//*[@id='page_1']/@title)")
                == "image \"may 1.jpg\"; bbox 0 0 620 877; ppageno 0; scan_res 75 75")
        #expect(
            try find(path, "string(//*[@id='word_1_2']/@title)")
                == "bbox 95 60 123 72; x_wconf 88")
        #expect(try find(path, "string(//*[@id='word_1_2'])") == "R&D,")
        #expect(try find(path, "string(//*[@id='word_1_4'])") == "Yours")
        #expect(
            try find(path, "string(//*[@id='line_1_1']/@title)")
                == "bbox 60 60 123 72; baseline 0 -3")
        #expect(try find(path, "string(//*[@id='line_1_3']/@title)").contains("baseline") == false)
        #expect(try find(path, "string(//\(element("title")))") == "A <b> & \"c\"")
        #expect(try find(path, "string(//*[@id='par_1_1']/@lang)") == "eng")
        #expect(
            try find(path, "count(//@id) = count(//@id[not(. = ../preceding::*/@id)])") == "true")
    }

    @Test("The baseline of a slanted line is a slope and an offset at the box's left")
    func baseline() throws {
        let folder = try TemporaryFolder()
        let line = TextLine(
            words: [
                Word(text: "x", box: Box(x: 100, y: 80, width: 200, height: 30), confidence: 1)
            ],
            box: Box(x: 100, y: 80, width: 200, height: 30),
            baseline: Baseline(x1: 0, y1: 100, x2: 400, y2: 108))
        try deliver([samplePage(blank, text: sampleText([line]))], to: folder.path + "/a.hocr")
        // At x = 100 the baseline is at y = 102, and the box ends at y = 110.
        #expect(try text(folder.path + "/a.hocr").contains("; baseline 0.02 -8\""))
    }

    @Test("In ALTO there are blocks, lines, strings and spaces in pixels")
    func alto() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.alto.xml"
        try deliver(pages, to: path)
        #expect(try run("xmllint", "--nonet", "--noout", path).errors == "")
        #expect(try find(path, "namespace-uri(/*)") == "http://www.loc.gov/standards/alto/ns-v4#")
        #expect(try find(path, "string(//\(element("MeasurementUnit")))") == "pixel")
        for (name, count) in [
            ("Page", 3), ("PrintSpace", 3), ("ComposedBlock", 2), ("TextBlock", 3), ("TextLine", 4),
            ("String", 5), ("SP", 1),
        ] {
            #expect(try find(path, "count(//\(element(name)))") == "\(count)", "\(name)")
        }
        let word = "//\(element("String"))[@CONTENT='R&D,']"
        let attributes = ["HPOS", "VPOS", "WIDTH", "HEIGHT", "WC"]
        let values = try attributes.map { try find(path, "string(\(word)/@\($0))") }
        #expect(values == ["95", "60", "28", "12", "0.875"])
        let space = "//\(element("SP"))"
        #expect(try find(path, "string(\(space)/@HPOS)") == "88")
        #expect(try find(path, "string(\(space)/@WIDTH)") == "7")
        #expect(try find(path, "string(//\(element("TextLine"))/@BASELINE)") == "60,69 130,69")
        #expect(try find(path, "string(//\(element("TextBlock"))/@LANG)") == "eng")
        #expect(try find(path, "string(//\(element("Page"))[2]/@PHYSICAL_IMG_NR)") == "2")
    }

    @Test("In JSON every page is complete")
    func json() throws {
        struct Head: Decodable {
            var format: String
            var version: Int
            var title: String
            var created: String
            var language: String?
            var pages: [Page]
        }
        struct Texts: Decodable {
            struct Text: Decodable { var plainText: String? }
            var pages: [Text]
        }
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.json"
        let info = DocumentInfo(title: "Quote \" and \\ and Ω", created: 1_777_627_800)
        try deliver(pages, to: path, info: info)
        let data = Data(try contents(path))
        let head = try JSONDecoder().decode(Head.self, from: data)
        #expect(head.format == "copystand-document" && head.version == 1)
        #expect(head.title == info.title)
        #expect(head.created == "2026-05-01T09:30:00Z")
        #expect(head.language == nil)
        #expect(head.pages == pages.map(\.page))
        let texts = try JSONDecoder().decode(Texts.self, from: data).pages.map(\.plainText)
        #expect(texts == [twoParagraphs.plainText, nil, "End"])
        #expect(try run("/usr/bin/python3", "-m", "json.tool", path).status == 0)
    }

    @Test("JSON ends with the entries that were found in the document, and has none otherwise")
    func entries() throws {
        struct Found: Decodable {
            var entries: [FoundEntry]?
            var fields: [Field]?
        }
        let folder = try TemporaryFolder()
        let entry = FoundEntry(
            number: "7", title: "Pea soup", text: "Pea soup \"old\" style.", pages: [1, 2],
            places: [.init(page: 1, box: Box(x: 1, y: 2, width: 3, height: 4))], confidence: 0.9)
        let found = DocumentFindings(entries: [entry], fields: [Field(name: "cards", value: "2")])
        for (name, noted) in [("a", found), ("b", DocumentFindings())] {
            let path = "\(folder.path)/\(name).json"
            let writer = try FileSink(path: path).begin(DocumentInfo(title: name, created: 0))
            for page in pages { try writer.add(page) }
            try writer.note(noted)
            _ = try writer.finish()
            let written = try JSONDecoder().decode(Found.self, from: Data(try contents(path)))
            #expect(written.entries == (noted.isEmpty ? nil : noted.entries))
            #expect(written.fields == (noted.isEmpty ? nil : noted.fields))
        }
    }

    @Test("JSON leaves out values that are not numbers")
    func notFinite() throws {
        let folder = try TemporaryFolder()
        var page = samplePage(blank, text: sampleText([sampleLine(["a"], y: 9)]))
        page.page.resolution = .nan
        page.page.provenance.steps[0].measurements = ["angle": .infinity, "skew": 1]
        page.page.provenance.steps[0].milliseconds = .nan
        page.page.text?.blocks[0].paragraphs[0].lines[0].words[0].confidence = -.infinity
        try deliver([page], to: folder.path + "/a.json")
        let written = try text(folder.path + "/a.json")
        #expect(written.contains("\"measurements\":{\"skew\":1}"))
        #expect(written.contains("\"confidence\":0"))
        #expect(try run("/usr/bin/python3", "-m", "json.tool", folder.path + "/a.json").status == 0)
    }
}
