import Documents
import Testing

@testable import Archive

/// Tests words with several spellings, and texts without spaces.
@Suite(.everyHome) struct SpellingSearchTests {
    private let folder: TestFolder
    private let archive: Archive

    init() throws {
        folder = try TestFolder()
        archive = try folder.open()
    }

    @Test(
        "Each spelling of a word finds the others",
        arguments: [
            ["Straße", "Strasse", "STRASSE", "STRAẞE"],
            ["Größe", "Groesse", "Grosse", "GRÖSSE", "gro\u{308}ße"],
            ["Ärger", "Aerger", "Arger", "a\u{308}rger"],
            ["Übung", "Uebung", "Ubung"], ["Ångström", "Aangstroem", "Angstrom"],
            ["København", "Koebenhavn", "Kobenhavn"], ["œuvre", "oeuvre"], ["Łódź", "Lodz"],
            ["ﬁnal", "final"], ["Ærø", "Aeroe"], ["uſus", "usus"], ["Þór", "Thor"],
            ["façade", "facade"], ["naïve", "NAIVE"],
        ])
    func spellings(words: [String]) throws {
        for (index, word) in words.enumerated() { try archive.add("\(index)", "the \(word) here") }
        // The first spelling has the mark, so the first one and each of the others must find each
        // other.
        let marked = "0"
        for (index, word) in words.enumerated() {
            #expect(try archive.found(word).contains(marked), "\(word)")
            #expect(try archive.found(words[0]).contains("\(index)"), "\(words[0]) → \(word)")
            #expect(try archive.found("\"the \(word) here\"").contains(marked), "\(word)")
            #expect(try archive.found(String(word.prefix(4)) + "*").contains("\(index)"), "\(word)")
        }
    }

    @Test("A spelling with two letters does not find the single letter")
    func strangers() throws {
        try archive.add("pot", "a pot of gold")
        try archive.add("poet", "a poet of gold")
        #expect(try archive.found("pot") == ["pot"])
        #expect(try archive.found("poet") == ["poet"])
        #expect(try archive.found("poet -pot") == ["poet"])
    }

    @Test("Matches are marked in the text as printed")
    func marks() throws {
        try archive.add("A", "die Größe der Straße")
        let hit = try #require(try archive.search("groesse strasse").hits.first)
        #expect(hit.snippet.filter(\.isMatch).map(\.text) == ["Größe", "Straße"])
        #expect(hit.words.map(\.text) == ["Größe", "Straße"])
    }

    /// The text as Tesseract reads it: a space after each character, and lines that end anywhere.
    private static let japanese = "東 京 都 庁 は 第 3 章 を\n読 む 。 カ タ ロ グ ABC 版"

    @Test("Any part of a Japanese text with at least two characters is found, even across lines")
    func parts() throws {
        try archive.add("Tokyo", Self.japanese)
        try archive.add("Other", "大 阪 府 庁 が 京 と 都")
        let signs = Array("東京都庁は第3章を読む")
        for start in signs.indices {
            for end in (start + 2)..<(signs.count + 1) where end > start + 1 && end <= signs.count {
                let part = String(signs[start..<end])
                #expect(try archive.found(part).contains("Tokyo"), "\(part)")
            }
        }
        #expect(try archive.found("京都") == ["Tokyo"])
        #expect(try archive.found("都京").isEmpty)
        #expect(try archive.found("カタログ ABC版") == ["Tokyo"])
        #expect(try Set(archive.found("庁")) == ["Tokyo", "Other"])
        #expect(try archive.found("章*") == ["Tokyo"])
        #expect(try archive.found("東 庁 -阪") == ["Tokyo"])
    }

    @Test("A result in a Japanese text has its characters, and a snippet without the spaces")
    func signs() throws {
        try archive.add("Tokyo", Self.japanese)
        let hit = try #require(try archive.search("章を読む").hits.first)
        #expect(hit.words.map(\.text) == ["章", "を", "読", "む"])
        #expect(hit.snippet.map(\.text).joined() == "東京都庁は第 3 章を読む。カタログ ABC 版")
        #expect(hit.snippet.filter(\.isMatch).map(\.text) == ["章を読む"])
    }

    @Test("A word that a hyphen breaks is joined across paragraphs and columns")
    func columns() throws {
        let lines = pageText("the depart-\nment of works").lines
        let box = Box(x: 0, y: 0, width: 600, height: 800)
        func block(_ line: TextLine) -> TextBlock {
            TextBlock(paragraphs: [Paragraph(lines: [line], box: box)], box: box)
        }
        let two = Paragraph(lines: [lines[1]], box: box)
        let ways = [
            [block(lines[0]), block(lines[1])],
            [TextBlock(paragraphs: [Paragraph(lines: [lines[0]], box: box), two], box: box)],
        ]
        for (index, blocks) in ways.enumerated() {
            var whole = page("x", image: "image \(index)")
            whole.page.text = PageText(blocks: blocks, languages: ["eng"])
            let addition = try archive.begin(
                DocumentInfo(title: "\(index)", created: 0, language: "en"))
            try addition.add(whole)
            _ = try addition.finish()
        }
        #expect(try Set(archive.found("department")) == ["0", "1"])
        let hit = try #require(try archive.search("department").hits.first)
        #expect(hit.words.map(\.text) == ["depart-", "ment"])
    }

    @Test("After changes, deletion and a check the index is valid")
    func changes() throws {
        let id = try archive.add("Größe", Self.japanese)
        try archive.perform([.setTitle("Straße")], on: id)
        #expect(try archive.found("groesse").isEmpty)
        #expect(try archive.found("strasse 東京") == ["Straße"])
        try archive.trash(id)
        #expect(try archive.found("strasse").isEmpty)
        try archive.restore(id)
        #expect(try archive.found("strasse") == ["Straße"])
        try expectSound(archive)
    }

    @Test("With bytes that are not text, and characters at every boundary, the index is valid")
    func odd() throws {
        for text in [
            "\u{FFFD}東\u{FFFD}", "東\u{301}京", "ä\u{308}", "\u{20000}\u{20001}", "a東ä京b", "ー々〆",
            "ﬃ\u{200D}ß", "\u{308}", String(repeating: "東", count: 5_000),
        ] {
            try archive.add("odd", text)
            // A combining mark alone can't be searched for; every other query must have a result.
            if text != "\u{308}", text.utf8.count < 4_000 { _ = try archive.found(text) }
        }
        #expect(try archive.found("\u{20000}\u{20001}") == ["odd"])
        try expectSound(archive)
    }
}
