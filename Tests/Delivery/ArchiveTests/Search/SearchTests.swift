import Documents
import FoundationEssentials
import Testing

@testable import Archive

@Suite(.everyHome) struct SearchTests {
    private let folder: TestFolder
    private let archive: Archive

    init() throws {
        folder = try TestFolder()
        archive = try folder.open()
        let invoice = try archive.add(
            "Invoice of Müller", "Invoice 2291\ntotal due 1.299,50 Euro",
            "page two with infor-\nmation and well-\nknown",
            created: 1_700_000_000)
        try archive.perform(
            [
                .setType(.invoice), .addTag("tax"), .addTag("two words"),
                .setField(name: "Total", value: "1.299,50 EUR", source: nil),
                .setField(name: "Discount", value: "5 % \\ _", source: nil),
            ], on: invoice)
        try archive.add(
            "Letter", "Dear Müller, the total is not due. Straße, naïve façade",
            created: 1_750_000_000)
        try archive.add("Blank", "")
    }

    @Test(
        "Words, phrases, prefixes and exclusions find the right pages",
        arguments: [
            ("invoice 2291", ["Invoice of Müller"]), ("2291 INVOICE", ["Invoice of Müller"]),
            ("\"total due\"", ["Invoice of Müller"]), ("\"due total\"", []),
            ("total -due", []), ("total -invoice", ["Letter"]),
            ("total -\"not due\"", ["Invoice of Müller"]),
            ("inv*", ["Invoice of Müller"]), ("inv", []), ("\"total du\"*", ["Invoice of Müller"]),
            ("naive facade", ["Letter"]), ("NAÏVE FAÇADE", ["Letter"]),
            ("information", ["Invoice of Müller"]),
            ("\"page two with information and\"", ["Invoice of Müller"]),
            ("well-known", ["Invoice of Müller"]), ("wellknown", ["Invoice of Müller"]),
            ("1.299,50", ["Invoice of Müller"]), ("“total due”", ["Invoice of Müller"]),
            ("letter", ["Letter"]), ("zebra", []),
        ])
    func meaning(query: String, titles: [String]) throws {
        #expect(Set(try archive.found(query)) == Set(titles))
    }

    @Test(
        "Filters by type, tag, field and date work with words and without",
        arguments: [
            ("total type:invoice", ["Invoice of Müller"]), ("total type:Letter", nil),
            ("total type:contract", []), ("total tag:tax", ["Invoice of Müller"]),
            ("total tag:\"two words\" tag:tax", ["Invoice of Müller"]), ("total tag:none", []),
            ("total since:2025", ["Letter"]), ("total before:2025-01-01", ["Invoice of Müller"]),
            ("total since:2023-11 before:2023-12", ["Invoice of Müller"]),
            ("field:total=299", ["Invoice of Müller"]), ("field:total=", ["Invoice of Müller"]),
            ("field:total=300", []), ("field:discount=299", []), ("field:sum=299", []),
            ("due field:\"Total=50 eur\" tag:tax", ["Invoice of Müller"]),
            ("due field:Total=299 field:Discount=5", ["Invoice of Müller"]),
            ("due field:Total=299 field:Discount=6", []), ("total field:total", nil),
            // Characters with a meaning in SQL are ordinary characters.
            ("field:discount=%", ["Invoice of Müller"]), ("field:total=%", []),
            ("field:total=_", []), ("field:\"discount=\\ _\"", ["Invoice of Müller"]),
            ("field:'=1", []), ("total field:=1", nil),
            ("type:invoice", ["Invoice of Müller"]), ("since:2025", ["Letter"]),
            ("müller 12:30", []), ("total before:2025-13-01", nil), ("total since:", nil),
        ] as [(String, [String]?)])
    func filters(query: String, titles: [String]?) throws {
        guard let titles else {
            #expect { try archive.search(query) } throws: {
                ($0 as? ArchiveError)?.code == .refused
            }
            return
        }
        #expect(try archive.found(query) == titles)
    }

    @Test("A result has its page, its words' places and a snippet in which the words are marked")
    func hits() throws {
        let hit = try #require(try archive.search("\"invoice 2291\" due").hits.first)
        #expect(hit.page == 1 && hit.width == 600 && hit.height == 800)
        #expect(hit.words.map(\.text) == ["Invoice", "2291", "due"])
        #expect(hit.words[1].box == Box(x: 80, y: 0, width: 40, height: 15))
        #expect(hit.snippet.filter(\.isMatch).map(\.text) == ["Invoice 2291", "due"])
        #expect(hit.snippet.map(\.text).joined() == "Invoice 2291 total due 1.299,50 Euro")
        let joined = try #require(try archive.search("information").hits.first)
        #expect(joined.words.map(\.text) == ["infor-", "mation"])
        let compound = try #require(try archive.search("well-known").hits.first)
        #expect(compound.words.map(\.text) == ["well-", "known"])
    }

    @Test(
        "Places are those on the page as shown now, and words that are cut off are not found")
    func turnedHits() throws {
        let id = try #require(try archive.search("2291").hits.first).document
        let page = try archive.document(id).pages[0].id
        try archive.perform([.rotate(pages: [page], by: .half)], on: id)
        let hit = try #require(try archive.search("2291").hits.first)
        #expect(hit.words.map(\.box) == [Box(x: 600 - 80 - 40, y: 800 - 15, width: 40, height: 15)])
        try archive.perform(
            [.crop(page: page, to: Box(x: 0, y: 0, width: 600, height: 700))], on: id)
        #expect(try archive.found("2291").isEmpty)
        try archive.undo(id)
        #expect(try archive.found("2291").count == 1)
    }

    @Test("The best result comes first, and a title counts more than a text")
    func ranking() throws {
        try archive.add("Once", "apple pear plum cherry quince medlar")
        try archive.add("Thrice", "apple apple apple")
        try archive.add("Apple", "something else")
        let found = try archive.search("apple")
        #expect(found.hits.map(\.title) == ["Apple", "Thrice", "Once"])
        #expect(found.order == .rank && found.total == 3 && !found.isTotalOpen)
        #expect(try archive.search("apple", limit: 1, offset: 1).hits.map(\.title) == ["Thrice"])
    }

    @Test("The limit on ranked pages does not change which pages are found")
    func everyWay() throws {
        for number in 0..<12 {
            let id = try archive.add(
                "Number \(number)",
                "common" + (number % 4 == 0 ? " rare" : "") + (number % 8 == 0 ? " odd" : ""),
                created: 1_600_000_000)
            if number < 9 { try archive.perform([.setType(.form)], on: id) }
            if number < 5 { try archive.perform([.addTag("few")], on: id) }
        }
        let filters = [
            ("", true), (" type:form", true), (" tag:few", true), (" tag:none", false),
            (" since:1970 before:2100", true), (" since:2100", false),
        ]
        for words in ["common rare", "common", "rare", "rare common -odd", "comm* ra*"] {
            for (filter, finds) in filters { try expectSame(words + filter, finds) }
        }
    }

    private func expectSame(_ text: String, _ finds: Bool) throws {
        let query = try SearchQuery(text)
        func found(_ most: Int) throws -> (Set<Int64>, SearchResult) {
            let result = try archive.search(query, limit: 100, offset: 0, ranking: most)
            return (Set(result.hits.map(\.document.rawValue)), result)
        }
        let (all, ranked) = try found(1_000)
        #expect(all.isEmpty == !finds, "\(text)")
        #expect(ranked.total == all.count && ranked.order == .rank && !ranked.isTotalOpen)
        for most in [0, 2, 5, 10] {
            let (same, result) = try found(most)
            #expect(same == all, "\(text), \(most)")
            #expect(result.isTotalOpen == (all.count > most))
        }
    }

    @Test("A document in the trash is not found until it is restored")
    func trash() throws {
        let id = try #require(try archive.search("2291").hits.first).document
        try archive.trash(id)
        #expect(try archive.found("2291").isEmpty && archive.found("type:invoice").isEmpty)
        #expect(try archive.documents().map(\.title).contains("Invoice of Müller") == false)
        try archive.restore(id)
        #expect(try archive.found("2291") == ["Invoice of Müller"])
        try expectSound(archive)
    }

    @Test("A corrected text, a note, a tag and a field are found")
    func changes() throws {
        let id = try #require(try archive.search("2291").hits.first).document
        let page = try archive.document(id).review.pages[0]
        let text = try #require(try archive.capturedText(page))
            .corrected(to: "Invoice 9922 total due", in: PageFrame(width: 600, height: 800))
        try archive.perform(
            [
                .editText(page: page.id, text: text), .setNote("paid by cheque"),
                .setField(name: "serial", value: "XK-77", source: "service"),
            ], on: id)
        #expect(try archive.found("2291").isEmpty)
        for query in ["9922", "cheque", "xk-77", "tax"] {
            #expect(try archive.found(query) == ["Invoice of Müller"], "\(query)")
        }
        #expect(
            try archive.search("9922").hits[0].words[0].box
                == Box(x: 80, y: 0, width: 40, height: 15))
    }

    @Test(
        "An empty query is refused with an explanation",
        arguments: [
            "", "   ", "***", "\"\"", "-", "-word", "\u{0}", "a*", "\u{1F600}", "tag:",
            "type:bill x",
        ])
    func nothing(query: String) {
        #expect { try archive.search(query) } throws: {
            guard let error = $0 as? ArchiveError else { return false }
            return error.code == .refused && error.message.hasSuffix(".")
        }
    }

    @Test(
        "SQL and FTS5 syntax is searched literally",
        arguments: [
            "'; DROP TABLE document; --", "total\" OR \"1\"=\"1", "NEAR(total due)",
            "title : total",
            "{body} : total", "total AND", "OR total", "NOT", "(total", "total)", "^total",
            "total + due",
            "%", "_total", "total\u{0}due", "\"unclosed", "body:total", "search:x", "* total",
            "total**",
            "-\"unclosed", "a:b:c", "\\", "?1", "total;", "/* x */ total", "\u{E000}total",
            "\u{E000}",
        ])
    func hostile(query: String) throws {
        do { _ = try archive.search(query) } catch {
            #expect(error.code == .refused, "\(error.message)")
        }
        #expect(try archive.found("2291") == ["Invoice of Müller"])
    }

    @Test(
        "Any text is a valid search or is refused with a reason", arguments: 0..<40 as Range<UInt64>
    )
    func fuzz(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "\"", "'", "*", "-", ":", "(", ")", "^", "+", "{", "}", ",", ";", " ", "AND", "OR",
            "NOT",
            "NEAR", "type:", "tag:", "before:", "since:", "2026", "total", "mü", "\u{0}", "\u{1}",
            "\u{301}", "\u{200D}", "\u{10FFFF}", "🎈", "漢", "\n", "\u{A0}", "--", "/*", "x'00'",
            "%s", "\\",
        ]
        for _ in 0..<150 {
            let query = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            do { _ = try archive.search(query, limit: 3) } catch {
                #expect(error.code == .refused, "\(query.debugDescription): \(error.message)")
            }
        }
        #expect(try archive.documents().count == 3)
    }

    @Test("A query that is too long is refused, and the longest allowed one is not")
    func length() throws {
        #expect(throws: ArchiveError.self) {
            try archive.search(String(repeating: "a", count: 4_001))
        }
        _ = try archive.search(String(repeating: "a", count: 4_000))
        let words = (0..<51).map { "w\($0)" }
        #expect(throws: ArchiveError.self) { try archive.search(words.joined(separator: " ")) }
        #expect(try archive.found(words.dropLast().joined(separator: " ")).isEmpty)
    }
}
