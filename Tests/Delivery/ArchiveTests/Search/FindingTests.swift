import Documents
import Testing

@testable import Archive

@Suite(.everyHome) struct FindingTests {
    private func finding(_ text: String, confidence: Double = 1, x: Double = 1) -> Finding {
        Finding(
            kind: .barcode, format: "Code128", text: text, confidence: confidence,
            corners: [.init(x: x, y: 2), .init(x: 9, y: 2), .init(x: 9, y: 5), .init(x: 1, y: 5)])
    }

    private func add(_ found: [[Finding]], to archive: Archive) throws -> DocumentID {
        let addition = try archive.begin(DocumentInfo(title: "Findings", created: 0))
        for (index, findings) in found.enumerated() {
            var new = page("words of page \(index)", number: index + 1)
            new.page.provenance.steps = [
                StepReport(
                    name: "barcodes", summary: "read", changed: false, milliseconds: 1,
                    found: findings)
            ]
            try addition.add(new)
        }
        return try addition.finish()
    }

    @Test("Findings on pages become fields of the document, each text once, and are searched")
    func fields() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        let id = try add(
            [[finding("ASN00012"), finding("4006381333931")], [finding("ASN00012")]], to: archive)
        let document = try archive.document(id)
        #expect(
            document.review.fields
                == [("barcode", "ASN00012"), ("barcode-2", "4006381333931")].map {
                    Field(
                        name: $0, value: $1, source: "barcodes", confidence: 1,
                        box: Box(x: 1, y: 2, width: 8, height: 3), page: document.pages[0].id)
                })
        #expect(try archive.search("4006381333931").hits.map(\.document) == [id])
        #expect(try archive.search("4006381333932").hits.isEmpty)
    }

    @Test("Found entries become the document's entries, on their pages, and can be searched")
    func entries() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        let addition = try archive.begin(DocumentInfo(title: "Recipes", created: 0))
        for number in 1...2 { try addition.add(page("words", number: number)) }
        let place = FoundEntry.Place(page: 2, box: Box(x: 1, y: 2, width: 3, height: 4))
        addition.note(
            DocumentFindings(
                entries: [
                    FoundEntry(
                        number: "7", title: "Pea soup", text: "Pea soup of zwiebelgrün.",
                        pages: [2],
                        places: [place], confidence: 0.9),
                    FoundEntry(
                        number: "", title: "Storm Giant", text: "", pages: [9], places: [],
                        confidence: 0.5,
                        fields: [Field(name: "value", value: "3.20 EUR", source: "card")]),
                ], fields: [Field(name: "cards", value: "2", source: "card")]))
        let id = try addition.finish()
        let document = try archive.document(id)
        let entries = document.review.entries
        #expect(entries.map(\.id) == [1, 2])
        #expect(entries.map(\.page) == [document.pages[1].id, nil])
        #expect(entries[0].fields.map(\.name) == ["number", "title", "text"])
        #expect(entries[0].fields.allSatisfy { $0.box == place.box && $0.confidence == 0.9 })
        #expect(entries[1].fields.map(\.value) == ["Storm Giant", "3.20 EUR"])
        #expect(document.review.fields.map(\.name) == ["cards"])
        #expect(try archive.search("zwiebelgrün").hits.map(\.document) == [id])
    }

    @Test("A page from the archive has its findings")
    func pages() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        let id = try add([[finding("ASN00012")], []], to: archive)
        let pages = try archive.document(id).pages
        #expect(pages.map(\.page.barcodes) == [[finding("ASN00012")], []])
    }

    @Test("A finding with numbers that JSON can't express is left out, and the document is kept")
    func unspeakable() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        let id = try add(
            [[finding("A", confidence: .nan), finding("B", x: .infinity), finding("C")]],
            to: archive)
        #expect(try archive.document(id).pages.first?.page.barcodes.map(\.text) == ["C"])
    }
}
