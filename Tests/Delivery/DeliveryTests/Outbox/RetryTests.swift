import Testing

@testable import Delivery

@Suite struct RetryTests {
    @Test(
        "The wait grows from half a minute to six hours, and is never shorter than requested"
    )
    func growth() {
        let delays = (1...15).map { Backoff.delay(attempts: $0, asked: nil, random: 0.5) }
        #expect(delays[0] == 30 && delays[1] == 60 && delays[4] == 480)
        #expect(delays == delays.sorted())
        #expect(delays.last == 21_600)
        #expect(Backoff.delay(attempts: 1, asked: 900, random: 0) == 900)
    }

    @Test(
        "Hosts that failed at the same moment try again at different moments",
        arguments: [0, 1, 5, 99, Int.max])
    func jitter(attempts: Int) {
        let low = Backoff.delay(attempts: attempts, asked: nil, random: 0)
        let high = Backoff.delay(attempts: attempts, asked: nil, random: 0.999)
        #expect(low > 0 && high > low * 1.5 && high <= 27_000)
    }
}

@Suite struct NameTemplateTests {
    let values = NameTemplate.values(
        title: "A/B: ../c", type: "invoice", barcode: "(01)0403/22: 7\n", created: 1_777_627_800,
        counter: 3, sink: "shelf")

    @Test(
        "Placeholders are filled in, and never add a folder",
        arguments: [
            ("{date} {title}", "2026-05-01 A-B- ..-c"),
            ("/s/{year}/{month}/{type}-{counter}", "/s/2026/05/invoice-003"),
            ("{sink}_{day}_{time}", "shelf_01_093000"),
            ("{barcode}/{barcode}.pdf", "(01)0403-22- 7-/(01)0403-22- 7-.pdf"),
        ])
    func filled(template: String, path: String) throws {
        // 1777627800 is 2026-05-01T09:30:00Z.
        #expect(try NameTemplate(template).path(values) == path)
    }

    @Test(
        "Invalid templates are refused",
        arguments: ["", "{titel}", "{title", "../{title}", "/a/../{title}", "{", "a/{}"])
    func refused(template: String) {
        #expect(failure { try NameTemplate(template).check() }?.code == .invalidOption)
    }

    @Test(
        "A document without a barcode, or with one that is not a valid name, is called no-barcode",
        arguments: [nil, "", "..", " . ", ". ."])
    func noBarcode(text: String?) throws {
        let values = NameTemplate.values(
            title: "", type: nil, barcode: text, created: 0, counter: 1, sink: "s")
        #expect(try NameTemplate("/s/{barcode}.pdf").path(values) == "/s/no-barcode.pdf")
    }

    @Test(
        "Placeholders without a value can't lead out of the folder",
        arguments: ["/s/{title}..{title}/x", "/s/.{title}/x", "{title}..", "/s/..{title}"])
    func dots(template: String) throws {
        let values = NameTemplate.values(
            title: "/", type: nil, created: 0, counter: 1, sink: "s"
        ).merging(["title": ""]) { $1 }
        try NameTemplate(template).check()
        #expect(failure { _ = try NameTemplate(template).path(values) }?.code == .invalidOption)
    }

    @Test(
        "A file's name has the ending of its format once, whatever dots the title has",
        arguments: [
            ("a/..", "{title}/doc.tiff", "tiff", "a-../doc.tiff"),
            ("a/..", "{title}", "tiff", "a-...tiff"),
            ("v1.2 draft", "{title}", "pdf", "v1.2 draft.pdf"),
            ("v1.2 draft", "{title}.pdf", "pdf", "v1.2 draft.pdf"),
            ("a.pdf", "{title}", "pdf", "a.pdf"), ("a.pdf", "x/{title}.PDF", "pdf", "x/a.pdf.pdf"),
            ("page.alto.xml", "{title}", "alto.xml", "page.alto.xml"),
            ("p. 3", "{title}", "alto.xml", "p. 3.alto.xml"),
            ("...", "{date}", "pdf", "1970-01-01.pdf"),
            ("a..", "{title}/{title}", "json", "a../a...json"),
        ])
    func endings(title: String, template: String, ending: String, name: String) throws {
        let stem = NameTemplate.safe(title)
        let file = OutboxItem.File(
            name: (stem.isEmpty ? "document" : stem) + "." + ending, mediaType: "", bytes: 1,
            sha256: "")
        let item = OutboxItem(
            id: "1", sink: "s", title: title, created: 0, pages: 1, files: [file])
        #expect(
            try NameTemplate(template).name(of: file, in: item, at: 0, counter: 1) == name)
    }

    @Test("The error for a misspelled placeholder names the nearest one")
    func nearest() {
        #expect(
            failure { try NameTemplate("{titel}").check() }?.message.contains("'title'") == true)
    }

    @Test("With any title, the name stays in its folder and can be written")
    func hostile() throws {
        var generator = SeededGenerator(state: 11)
        let letters: [Character] = [
            "/", ".", "\\", ":", "\u{0}", "\n", " ", "a", "é", "漢", "🂡", "\u{202e}", "~",
        ]
        for _ in 0..<2000 {
            let title = String(
                (0..<Int.random(in: 0...400, using: &generator)).map { _ in
                    letters.randomElement(using: &generator) ?? "a"
                })
            let values = NameTemplate.values(
                title: title, type: nil, created: 0, counter: 1, sink: "s")
            guard let path = try? NameTemplate("x{title}.pdf").path(values) else { continue }
            #expect(
                !path.contains("/") && !path.contains("\0") && path.utf8.count <= 200
                    && path.hasSuffix(".pdf"))
        }
    }
}
