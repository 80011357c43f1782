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

    @Test("Documents are listed by a text in a field; capitals make no difference from A to Z")
    func listing() throws {
        for (filters, titles) in [
            ([], ["Plain", "Ink", "Quill"]), (["customer="], ["Ink", "Quill"]),
            (["CUSTOMER=quill"], ["Quill"]), (["customer=SöHNE"], ["Quill"]),
            (["customer=SÖHNE"], []), (["customer=Ill &"], ["Quill"]),
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
