import Documents
import Glibc
import Imaging
import Testing

@testable import Delivery

private let blank = Raster(width: 620, height: 877, format: .bilevel)
/// Points per pixel at 75 dpi.
private let unit = 72.0 / 75

private func rawWords(_ path: String) throws -> [String] {
    try run("pdftotext", "-raw", path, "-").output.split(whereSeparator: \.isWhitespace).map(
        String.init)
}

@Suite struct TextLayerTests {
    @Test("Each word is found at its letters, within two pixels", arguments: [true, false])
    func boxes(hasBaseline: Bool) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        let lines = (0..<20).map { row in
            sampleLine(
                ["What", "stands", "here", "a", "(\(row))", "internationalisation"], x: 40 + row,
                y: 60 + 30 * row, height: 16, baseline: hasBaseline)
        }
        try deliver([samplePage(blank, text: sampleText(lines))], to: path)
        let found = try words(in: path)
        let expected = lines.flatMap(\.words)
        try #require(found.map(\.text) == expected.map(\.text))
        for (word, truth) in zip(found, expected) {
            #expect(abs(word.left / unit - Double(truth.box.x)) < 2, "\(word)")
            #expect(abs(word.right / unit - Double(truth.box.x + truth.box.width)) < 2, "\(word)")
            #expect(abs(word.top / unit - Double(truth.box.y)) < 2, "\(word)")
            #expect(abs(word.bottom / unit - Double(truth.box.y + truth.box.height)) < 2, "\(word)")
        }
    }

    @Test("Cells of a row that stand at different heights are each found at their letters")
    func cells() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        let places = [(60, 300, "first"), (200, 290, "upper"), (340, 300, "600.22")]
        let expected = places.map { x, y, text in
            Word(text: text, box: Box(x: x, y: y, width: 60, height: 16), confidence: 1)
        }
        let line = TextLine(words: expected, box: Box(x: 60, y: 290, width: 340, height: 26))
        try deliver([samplePage(blank, text: sampleText([line]))], to: path)
        #expect(try rawWords(path) == expected.map(\.text))
        let found = try words(in: path).sorted { $0.left < $1.left }
        for (word, truth) in zip(found, expected) {
            #expect(word.text == truth.text)
            #expect(abs(word.top / unit - Double(truth.box.y)) < 2, "\(word)")
            #expect(abs(word.bottom / unit - Double(truth.box.bottom)) < 2, "\(word)")
        }
    }

    @Test(
        "Words of a page that was turned and cut are found whole and in order, over their letters",
        arguments: PageTurn.allCases, [nil, Box(x: 20, y: 40, width: 560, height: 700)])
    func turned(turn: PageTurn, crop: Box?) throws {
        let folder = try TemporaryFolder()
        for hasBaseline in [true, false] {
            let path = "\(folder.path)/\(hasBaseline).pdf"
            let lines = (0..<12).map { row in
                sampleLine(
                    ["Total", "due", "in", "row\(row)", "internationalisation"], x: 40 + row,
                    y: 60 + 40 * row, height: 16, baseline: hasBaseline)
            }
            let frame = PageFrame(width: 620, height: 877, crop: crop, turn: turn)
            let text = sampleText(lines).shown(in: frame)
            let picture = Raster(
                width: frame.size.width, height: frame.size.height, format: .bilevel)
            try deliver([samplePage(picture, text: text)], to: path)
            let raw = try rawWords(path)
            #expect(raw == lines.flatMap(\.words).map(\.text), "\(turn), baseline \(hasBaseline)")
            let found = try words(in: path)
            #expect(Set(found.map(\.text)) == Set(raw))
            for (word, truth) in zip(
                found.sorted { $0.text < $1.text }, text.words.sorted { $0.text < $1.text })
            where word.text.hasPrefix("row") {
                // Across the line, turned words are reported up to a third of a letter away.
                #expect(abs(word.left / unit - Double(truth.box.x)) < 6, "\(turn) \(word)")
                #expect(abs(word.top / unit - Double(truth.box.y)) < 6, "\(turn) \(word)")
            }
        }
    }

    @Test(
        "Words whose boxes touch, or nearly touch, are found as two words",
        arguments: [-2, 0, 1, 3], [0.0, 3])
    func touching(gap: Int, degrees: Double) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        let slope = tan(degrees * .pi / 180)
        let names = ["GNU", "C", "not", "a", "charge"]
        var left = 60
        let words = names.map { name in
            defer { left += 14 * name.count + gap }
            return Word(
                text: name,
                box: Box(
                    x: left, y: 400 + Int(slope * Double(left - 60)), width: 14 * name.count,
                    height: 24), confidence: 1)
        }
        let line = TextLine(
            words: words, box: Box(x: 60, y: 400, width: left - 60, height: 40),
            baseline: Baseline(
                x1: 60, y1: 420, x2: left, y2: 420 + Int(slope * Double(left - 60))))
        try deliver([samplePage(blank, text: sampleText([line]))], to: path)
        #expect(try rawWords(path) == names)
        for (word, truth) in zip(try foundWords(path), words) {
            #expect(abs(word.left / unit - Double(truth.box.x)) < 3, "\(word)")
        }
    }

    @Test("Words on a slanted line are on that line", arguments: [-8.0, -3, -0.5, 0.5, 3, 8])
    func slanted(degrees: Double) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        let slope = tan(degrees * .pi / 180)
        // The boxes that a reader reports for words of 80 × 14 on a line through (60, 400).
        let words = (0..<5).map { index -> Word in
            let x = 60 + 100 * Double(index)
            let bottom = 400 + slope * (x - 60)
            let run = 80 * cos(degrees * .pi / 180)
            let rise = abs(80 * sin(degrees * .pi / 180))
            let top = min(bottom, bottom + slope * run) - 14
            return Word(
                text: "word\(index)",
                box: Box(x: Int(x), y: Int(top), width: Int(run), height: Int(14 + rise)),
                confidence: 1)
        }
        let line = TextLine(
            words: words, box: Box(x: 60, y: 300, width: 480, height: 200),
            baseline: Baseline(x1: 60, y1: 400, x2: 560, y2: 400 + Int((slope * 500).rounded())))
        try deliver([samplePage(blank, text: sampleText([line]))], to: path)
        try expectSound(path)
        let found = try foundWords(path)
        try #require(found.map(\.text) == words.map(\.text))
        for (index, word) in found.enumerated() {
            let middle = (word.left + word.right) / 2 / unit
            let truth = words[index].box
            #expect(abs(middle - Double(truth.x) - Double(truth.width) / 2) < 3, "\(word)")
            // The middle of the letters lies on the slant.
            let height = (word.top + word.bottom) / 2 / unit
            #expect(abs(height - (400 + slope * (middle - 60) - 5)) < 4, "\(word)")
        }
    }

    @Test(
        "Text that runs upward or downward is found",
        arguments: [(300, 700, 300, 100), (300, 100, 300, 700)])
    func vertical(x1: Int, y1: Int, x2: Int, y2: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        let isUp = y1 > y2
        let boxes = [100, 250, 400].map { Box(x: isUp ? 288 : 297, y: $0, width: 15, height: 120) }
        let names = isUp ? ["third", "second", "first"] : ["first", "second", "third"]
        var placed = zip(names, boxes).map { Word(text: $0, box: $1, confidence: 1) }
        if isUp { placed.reverse() }
        let line = TextLine(
            words: placed, box: Box(x: 288, y: 100, width: 15, height: 420),
            baseline: Baseline(x1: x1, y1: y1, x2: x2, y2: y2))
        try deliver([samplePage(blank, text: sampleText([line]))], to: path)
        try expectSound(path)
        #expect(try rawWords(path) == ["first", "second", "third"])
        for word in try foundWords(path) {
            let truth = try #require(placed.first { $0.text == word.text }).box
            #expect(abs(word.top / unit - Double(truth.y)) < 3, "\(word)")
            #expect(abs(word.bottom / unit - Double(truth.y + truth.height)) < 3, "\(word)")
            #expect(abs(word.left / unit - Double(truth.x)) < 6, "\(word)")
        }
    }

    @Test(
        "Words of any script are read back unchanged",
        arguments: [
            "Grüße", "Ελληνικά", "Москва", "日本語", "한국어", "हिन्दी", "naïve", "e\u{301}te\u{301}", "👍🏽",
            "👩‍👩‍👧", "𝔘𝔫𝔦",
            "(a)\\b<c>&", "“quoted”", "½", "ﬁn", "😀😀", "ไทย", "𠀀", "A", "…",
        ])
    func scripts(word: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        let line = sampleLine(["before", word, "after"], y: 90, letter: 12)
        try deliver([samplePage(blank, text: sampleText([line]))], to: path)
        try expectSound(path)
        let found = try rawWords(path)
        #expect(found.count == 3)
        // poppler splits ligatures, so compatible forms are compared.
        #expect(
            found.dropFirst().first?.unicodeScalars.elementsEqual(word.unicodeScalars) == true
                || (word == "ﬁn" && found[1] == "fin"), "\(found)")
    }

    @Test("Right-to-left words are read in reading order", arguments: ["שלום", "مرحبا", "א"])
    func rightToLeft(word: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        try deliver(
            [samplePage(blank, text: sampleText([sampleLine([word], y: 90, letter: 12)]))], to: path
        )
        let controls: Set<Unicode.Scalar> = [
            "\u{202A}", "\u{202B}", "\u{202C}", "\u{200E}", "\u{200F}",
        ]
        let scalars = try rawWords(path).joined().unicodeScalars.filter { !controls.contains($0) }
        #expect(scalars.elementsEqual(word.unicodeScalars), "\(scalars)")
    }

    @Test("Columns are read one after the other with -raw")
    func readingOrder() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        let blocks = [60, 340].enumerated().map { column, x in
            let lines = (0..<5).map {
                sampleLine(["c\(column)", "row", "\($0)"], x: x, y: 100 + 20 * $0)
            }
            let box = Box(x: x, y: 100, width: 200, height: 100)
            return TextBlock(paragraphs: [Paragraph(lines: lines, box: box)], box: box)
        }
        let text = PageText(blocks: blocks, languages: [])
        try deliver([samplePage(blank, text: text)], to: path)
        #expect(try rawWords(path) == text.words.map(\.text))
        let lines = try run("pdftotext", "-raw", path, "-").output.split(separator: "\n")
        #expect(lines.prefix(2) == ["c0 row 0", "c0 row 1"])
    }

    @Test("Text whose coordinates are for another size is scaled to the picture")
    func otherPixels() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        var page = samplePage(blank, text: sampleText([sampleLine(["half"], x: 100, y: 200)]))
        page.page.width = 310
        page.page.height = 439
        try deliver([page], to: path)
        let word = try #require(try foundWords(path).first)
        #expect(abs(word.left - 2 * 100 * unit) < 1)
        #expect(abs(word.top - 2 * 200 * unit) < 2)
    }

    @Test("The words lie under the picture, and are not painted")
    func invisible() throws {
        let folder = try TemporaryFolder()
        let text = sampleText([sampleLine(["hidden"], y: 90, height: 40, letter: 30)])
        try deliver([samplePage(blank, text: text)], to: folder.path + "/with.pdf")
        try deliver([samplePage(blank)], to: folder.path + "/without.pdf")
        for name in ["with", "without"] {
            _ = try run(
                "pdftoppm", "-r", "75", "-singlefile", "\(folder.path)/\(name).pdf",
                "\(folder.path)/\(name)")
        }
        #expect(try contents(folder.path + "/with.ppm") == contents(folder.path + "/without.ppm"))
        let content = try run(
            "qpdf", "--qdf", "--object-streams=disable", folder.path + "/with.pdf", "-"
        ).output
        let words = try #require(content.firstRange(of: "3 Tr"))
        let picture = try #require(content.firstRange(of: "/Im1 Do"))
        #expect(words.upperBound < picture.lowerBound)
    }

    @Test("A page without text, and one without words, have none")
    func wordless() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.pdf"
        let empty = PageText(blocks: [], languages: ["eng"])
        let hollow = sampleText([TextLine(words: [], box: Box(x: 1, y: 1, width: 1, height: 1))])
        let control = sampleText([sampleLine(["\u{0}", " ", "\u{FFFE}"], y: 9)])
        let pages = [nil, empty, hollow, control].map { samplePage(blank, text: $0) }
        try deliver(pages, to: path)
        try expectSound(path)
        #expect(try rawWords(path) == [])
    }

    @Test("If there are more characters than codes in a font, several fonts are used")
    func manyFonts() throws {
        let folder = try TemporaryFolder()
        let out = try OutputFolder(path: folder.path, for: "a.pdf", disk: .live)
        let context = FormatContext(
            folder: out, spoolFolder: out, name: "a.pdf", info: sampleInfo,
            options: FileSinkOptions())
        let format = try PDFFormat(context, glyphs: GlyphTable(capacity: 10))
        let lines = ["abcdef ghij", "klmnop qrs a", "tuvwxyz abc"].enumerated().map {
            sampleLine($1.split(separator: " ").map(String.init), y: 60 + 30 * $0)
        }
        try format.add(samplePage(blank, text: sampleText(lines)))
        let file = try #require(try format.finish().first)
        try file.seal()
        #expect(try file.place(as: "a.pdf"))
        try expectSound(folder.path + "/a.pdf")
        #expect(try run("pdffonts", folder.path + "/a.pdf").output.split(separator: "\n").count > 3)
        #expect(
            try rawWords(folder.path + "/a.pdf")
                == ["abcdef", "ghij", "klmnop", "qrs", "a", "tuvwxyz", "abc"])
    }
}

private func foundWords(_ path: String) throws -> [FoundWord] { try words(in: path) }
