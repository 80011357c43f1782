import Testing

@testable import Delivery

@Suite struct DocumentNameTests {
    @Test(
        "A file is named by the title, without characters that a name can't have",
        arguments: [
            ("Invoice", "Invoice.pdf"), ("Rent: May/June", "Rent- May-June.pdf"),
            ("../../etc/passwd", "-..-etc-passwd.pdf"), ("", "document-12.pdf"),
            ("...", "document-12.pdf"), ("a\nb\u{1B}c", "a-b-c.pdf"),
            ("Größe 日本", "Größe 日本.pdf"), ("a\u{202E}b", "a-b.pdf"),
        ])
    func names(title: String, name: String) {
        #expect(DocumentName(title: title, id: 12, ending: "pdf").text == name)
    }

    @Test("A long title is cut between characters")
    func long() {
        let name = DocumentName(title: String(repeating: "ä", count: 500), id: 1, ending: "pdf")
        #expect(name.text.utf8.count <= 170 && name.text.hasSuffix("ä.pdf"))
    }

    @Test(
        "A download's header has the name in ASCII and unchanged",
        arguments: [
            ("Plain", #"attachment; filename="Plain.pdf"; filename*=UTF-8''Plain.pdf"#),
            (
                #"A "b" 50%; c"#,
                #"attachment; filename="A _b_ 50_; c.pdf"; filename*=UTF-8''A%20%22b%22%2050%25%3B%20c.pdf"#
            ),
            ("ä", #"attachment; filename="_.pdf"; filename*=UTF-8''%C3%A4.pdf"#),
        ])
    func header(title: String, value: String) {
        #expect(DocumentName(title: title, id: 1, ending: "pdf").contentDisposition == value)
    }
}
