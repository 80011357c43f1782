import Documents
import Testing

@testable import Recognition

@Suite struct EntryReaderTests {
    private static let body = [
        "wash the peas and boil them until they",
        "are soft, then pass them through a sieve.",
    ]

    @Test(
        "Each kind of numbering gives entries with number, title and text",
        arguments: [
            ["1.", "2.", "3."], ["1)", "2)", "3)"], ["(1)", "(2)", "(3)"], ["I.", "II.", "III."],
            ["a)", "b)", "c)"], ["§ 1", "§ 2", "§ 3"], ["7.", "8.", "9."],
        ])
    func numbering(_ marks: [String]) {
        var page = SetPage()
        var y = 200
        for (mark, title) in zip(marks, ["Pea soup", "Bean soup", "Lentil soup"]) {
            y = page.lines(
                ["\(mark) \(title)"] + Self.body.map { $0.prefix(1).uppercased() + $0.dropFirst() }
                    + [""], from: y)
        }
        let entries = EntryReader.entries(in: [page.page])
        #expect(entries.map(\.title) == ["Pea soup", "Bean soup", "Lentil soup"])
        let numbers = marks.map { $0.filter { $0.isLetter || $0.isNumber } }
        #expect(entries.map(\.number) == numbers)
        #expect(entries.allSatisfy { $0.pages == [1] && $0.confidence > 0.9 })
        #expect(entries.first?.text.hasSuffix("through a sieve.") ?? false)
    }

    @Test(
        "An entry continues on the next page, and running heads and page numbers belong to no entry"
    )
    func overPages() {
        var first = SetPage(1)
        var second = SetPage(2)
        first.line("Old Recipes of the Coast", x: 500, y: 100)
        first.line("12", x: 700, y: 2150)
        second.line("Old Recipes of the Coast", x: 500, y: 100)
        second.line("13", x: 700, y: 2150)
        first.lines(
            ["1. Pea soup is made of peas alone.", "", "2. Bean soup is made of beans that"],
            from: 300)
        second.lines(["were soaked for a night.", "", "3. Lentil soup is quick."], from: 300)
        let entries = EntryReader.entries(in: [first.page, second.page])
        #expect(entries.map(\.number) == ["1", "2", "3"])
        #expect(entries.map(\.pages) == [[1], [1, 2], [2]])
        #expect(entries[1].text == "Bean soup is made of beans that were soaked for a night.")
        #expect(entries[1].places.map(\.page) == [1, 2])
    }

    @Test("Two columns are read one after the other, and the title above both belongs to no entry")
    func columns() {
        var page = SetPage()
        page.line("The Book of Soups", x: 500, y: 120, scale: 1.8)
        var left = ["1. Pea soup is an old dish", "of the north."]
        left += (0..<8).map { _ in "It is eaten in winter." }
        left += ["", "2. Bean soup is cooked in"]
        var right = ["one pot with a bone."]
        right += (0..<8).map { _ in "It is eaten in autumn." }
        right += ["", "3. Lentil soup is sour."]
        page.lines(left, x: 100, from: 300)
        page.lines(right, x: 900, from: 300)
        let entries = EntryReader.entries(in: [page.page])
        #expect(entries.map(\.number) == ["1", "2", "3"])
        #expect(entries[1].text.hasPrefix("Bean soup is cooked in one pot with a bone."))
        #expect(!entries.contains { $0.text.contains("Book") })
        // The entry has a place in each of its columns.
        #expect(entries[1].places.count == 2)
    }

    @Test("A number that was not read is found by the gap above its entry")
    func unread() {
        var page = SetPage()
        var y = 200
        for (mark, text) in [
            ("1.", "One thing."), ("2.", "Some thing."), ("", "Another thing."),
            ("4.", "A fourth thing."), ("5.", "Last."),
        ] {
            if !mark.isEmpty { page.line(mark, x: 200, y: y) }
            y = page.lines([text, "It goes on for a line.", ""], x: 300, from: y)
        }
        let entries = EntryReader.entries(in: [page.page])
        #expect(entries.map(\.number) == ["1", "2", "3", "4", "5"])
        #expect(entries[2].title == "Another thing.")
        #expect(entries[2].confidence < entries[1].confidence)
    }

    @Test("Text that looks like a number within an entry does not begin a new entry")
    func numbersInText() {
        var page = SetPage()
        page.lines(
            [
                "1. Take a quart of milk and", "3.2 pounds of flour, as in the year",
                "1893. Beat it well.", "",
                "2. Let it rise.",
            ], from: 200)
        #expect(EntryReader.entries(in: [page.page]).map(\.number) == ["1", "2"])
    }

    @Test("A list within an entry does not split the entry")
    func inner() {
        var page = SetPage()
        page.lines(
            [
                "1. Dough", "a) flour", "b) water", "c) salt", "", "2. Filling", "a) apples",
                "b) sugar",
                "c) raisins", "", "3. Glaze", "a) egg", "b) milk",
            ], from: 200)
        let entries = EntryReader.entries(in: [page.page])
        #expect(entries.map(\.number) == ["1", "2", "3"])
    }

    @Test("Pieces with titles in larger type are entries without numbers")
    func titled() {
        var page = SetPage()
        var y = 200
        for title in ["Pea Soup", "Bean Soup", "Lentil Soup"] {
            page.line(title, y: y, scale: 1.3)
            y = page.lines(Self.body + [""], from: y + 60)
        }
        let entries = EntryReader.entries(in: [page.page])
        #expect(entries.map(\.title) == ["Pea Soup", "Bean Soup", "Lentil Soup"])
        #expect(entries.allSatisfy { $0.number.isEmpty })
        #expect(entries[0].text == "Pea Soup\n" + Self.body.joined(separator: " "))
    }

    @Test("Without numbers and titles every paragraph is an entry, named by its first sentence")
    func paragraphs() {
        var page = SetPage()
        page.lines(
            [
                "Peas are washed. Then they are", "boiled until they are soft.", "",
                "Beans need a night in water.",
            ],
            from: 200)
        let entries = EntryReader.entries(in: [page.page])
        #expect(entries.map(\.title) == ["Peas are washed.", "Beans need a night in water."])
    }

    @Test("A word divided at the end of a line is one word again")
    func hyphens() {
        var page = SetPage()
        page.lines(["1. Pea soup needs pa-", "tience.", "", "2. Bean soup."], from: 200)
        #expect(EntryReader.entries(in: [page.page])[0].text == "Pea soup needs patience.")
    }

    @Test("Pages without text have no entries, and any text gives some without harm")
    func anything() {
        #expect(EntryReader.entries(in: []).isEmpty)
        #expect(EntryReader.entries(in: [SetPage().page]).isEmpty)
        var dice = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var page = SetPage()
            for _ in 0..<Int.random(in: 1...30, using: &dice) {
                let marks = [
                    "1.", "§", "©", "(", "iv)", "IIII.", "9999.", "a", ".", "½)", "٣.", "§§12",
                ]
                page.line(
                    marks.randomElement(using: &dice)! + " "
                        + String(repeating: "x", count: .random(in: 0...9, using: &dice)),
                    x: .random(in: 0...1500, using: &dice), y: .random(in: 0...2200, using: &dice))
            }
            let entries = EntryReader.entries(in: [page.page])
            #expect(entries.allSatisfy { !$0.pages.isEmpty && (0...1).contains($0.confidence) })
        }
    }
}

@Suite struct EntryMarkerTests {
    @Test("Roman numbers are read only as they are written")
    func roman() {
        for value in 1...3000 where RomanNumber.text(value).count <= 9 {
            #expect(RomanNumber.value(RomanNumber.text(value), isUpper: true) == value)
        }
        for wrong in ["IIII", "VX", "IL", "", "ABC"] {
            #expect(RomanNumber.value(wrong, isUpper: true) == nil)
        }
    }

    @Test(
        "Page numbers are recognized in all their forms, and numbers of entries are not page numbers",
        arguments: [
            ("12", true), ("- 12 -", true), ("Page 12", true), ("3 / 40", true), ("xiv", true),
            ("12.", false),
            ("12)", false), ("Soup 12", false), ("", false),
        ])
    func pageNumbers(_ text: String, _ isOne: Bool) {
        #expect(RunningHeads.isPageNumber(text) == isOne)
    }
}
