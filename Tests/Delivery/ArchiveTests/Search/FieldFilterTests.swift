import Documents
import Testing

@testable import Archive

/// Tests the filter of documents by a text in a field.
@Suite(.everyHome) struct FieldFilterTests {
    private let folder: TestFolder
    private let archive: Archive

    init() throws {
        folder = try TestFolder()
        archive = try folder.open()
        let quill = try archive.add("Quill", "words", created: 1)
        try archive.perform(
            [
                .setField(name: "Customer", value: "Quill & Söhne", source: nil),
                .setField(name: "Total", value: "12.50", source: nil),
            ], on: quill)
        let ink = try archive.add("Ink", "words", created: 2)
        try archive.perform(
            [
                .setField(name: "customer", value: "Ink_Well 100%", source: nil), .addTag("tax"),
            ], on: ink)
        try archive.add("Plain", "words", created: 3)
    }

    private func listed(_ filters: [FieldFilter], tags: [String] = []) throws -> [String] {
        let filter = DocumentFilter(tags: tags, fields: filters)
        let found = try archive.documentList(filter)
        #expect(found.total == found.documents.count)
        return found.documents.map(\.title)
    }

    @Test("Documents are listed by a text in a field; capitals and accents make no difference")
    func listing() throws {
        for (filters, titles) in [
            ([], ["Plain", "Ink", "Quill"]), (["customer="], ["Ink", "Quill"]),
            (["CUSTOMER=quill"], ["Quill"]), (["customer=SöHNE"], ["Quill"]),
            (["customer=SÖHNE"], ["Quill"]), (["customer=soehn"], ["Quill"]),
            (["customer=sohne"], ["Quill"]), (["customer=soohne"], []),
            (["customer=so\u{308}hne"], ["Quill"]), (["customer=Ill &"], ["Quill"]),
            (["customer=i", "total=12"], ["Quill"]), (["total=i"], []), (["custom=i"], []),
            (["customer=k_w"], ["Ink"]), (["customer=k%w"], []), (["customer=nk_"], ["Ink"]),
            (["customer=l_"], []), (["customer=0%"], ["Ink"]), (["customer=\\"], []),
            (["customer=\u{0}"], []),
        ] as [([String], [String])] {
            #expect(try listed(filters.map { try FieldFilter($0) }) == titles, "\(filters)")
        }
        #expect(try listed([FieldFilter("customer=i")], tags: ["tax"]) == ["Ink"])
        #expect(try listed([FieldFilter("total=1")], tags: ["tax"]) == [])
    }

    @Test(
        "A text in a field is found whatever its capitals, accents and spelling",
        arguments: [
            ("École Œuvre", ["ÉCOLE", "ecole", "école", "oeuvre", "ŒUVRE", "coleœ"], 5),
            ("STRASSE", ["straße", "Strasse", "raß"], 3), ("Straße 12", ["STRASSE", "asse 1"], 2),
            ("Ärzte", ["ÄRZTE", "aerzte", "arzte", "rzt"], 4), ("Aerzte", ["ärzte", "ARZTE"], 1),
            // The index removes accents from Latin letters alone (SQLite, FTS5, unicode61).
            ("ΑΘΗΝΑ", ["αθηνα", "Αθήνα"], 1), ("Москва", ["МОСКВА", "моск"], 2),
            ("東京駅", ["東京", "京駅", "東駅"], 2), ("Łódź", ["lodz", "ŁÓDŹ"], 2),
            ("A\u{30A}rhus", ["århus", "AARHUS", "arhus"], 3),
        ])
    func folding(_ value: String, _ texts: [String], count: Int) throws {
        let document = try archive.add("Folded", "words", created: 4)
        try archive.perform([.setField(name: "Größe", value: value, source: nil)], on: document)
        for name in ["Größe", "GRÖSSE", "groesse"] {
            let found = try texts.filter { text in
                try listed([FieldFilter("\(name)=\(text)")]) == ["Folded"]
            }
            #expect(found == Array(texts.prefix(count)), "\(name)")
        }
        // A search narrows its hits in the same way.
        let hits = try archive.search(SearchQuery("words field:größe=\(texts[0])"))
        #expect(hits.hits.map(\.title) == ["Folded"])
    }

    @Test("The names of fields are listed by their number of documents, without the trash")
    func names() throws {
        let again = try archive.add("Again", "words")
        try archive.perform([.setField(name: "Total", value: "7", source: nil)], on: again)
        func names(_ limit: Int = .max) throws -> [String] {
            try archive.fields(limit: limit).map { "\($0.name) \($0.documents)" }
        }
        #expect(try names() == ["Total 2", "Customer 1", "customer 1"])
        #expect(try names(1) == ["Total 2"])
        try archive.trash(again)
        #expect(try names() == ["Customer 1", "Total 1", "customer 1"])
    }
}
