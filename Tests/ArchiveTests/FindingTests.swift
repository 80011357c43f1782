import Documents
import Testing

@testable import Archive

@Suite struct FindingTests {
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

    @Test("What was found on the pages is a field of the document, each text once, and is searched")
    func fields() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        let id = try add(
            [[finding("ASN00012"), finding("4006381333931")], [finding("ASN00012")]], to: archive)
        let document = try archive.document(id)
        #expect(
            document.review.fields == [
                Field(name: "barcode", value: "ASN00012", source: "barcodes"),
                Field(name: "barcode-2", value: "4006381333931", source: "barcodes"),
            ])
        #expect(try archive.search("4006381333931").hits.map(\.document) == [id])
        #expect(try archive.search("4006381333932").hits.isEmpty)
    }

    @Test("A page comes out of the archive with what was found on it")
    func pages() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        let id = try add([[finding("ASN00012")], []], to: archive)
        let pages = try archive.document(id).pages
        #expect(pages.map(\.page.barcodes) == [[finding("ASN00012")], []])
    }

    @Test("A finding with numbers that JSON cannot say is left out, and the document kept")
    func unspeakable() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        let id = try add(
            [[finding("A", confidence: .nan), finding("B", x: .infinity), finding("C")]],
            to: archive)
        #expect(try archive.document(id).pages.first?.page.barcodes.map(\.text) == ["C"])
    }
}
