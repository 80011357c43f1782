import FoundationEssentials
import Testing

/// Tests `copystand separator`, and batches that are split at separator sheets.
@Suite struct SeparatorTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func shell(_ line: String) throws -> BuiltProgram.Outcome {
        try BuiltProgram.shell("cd \(home.path) && " + line, in: home)
    }

    private struct Answer: Decodable {
        struct Page: Decodable {
            struct Code: Decodable {
                var format: String
                var text: String
            }
            var barcodes: [Code]
            var document: Int?
        }
        struct Document: Decodable {
            var number: Int
            var name: String?
            var pages: Int
            var locations: [String]
        }
        var pages: [Page]
        var documents: [Document]?
    }

    private func answer(_ line: String) throws -> Answer {
        let outcome = try shell(line + " --json --quiet")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8))
    }

    @Test(
        "The sheet is a complete PDF of one page in the paper's size",
        arguments: [("a4", "595.276 x 841.89"), ("letter", "612 x 792")])
    func sheet(_ paper: String, _ size: String) throws {
        let made = try shell("$P separator --paper \(paper) -o sheet.pdf")
        #expect(made.status == 0 && made.output == "sheet.pdf\n", "\(made.errors)")
        let check = try shell("qpdf --check sheet.pdf")
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        let facts = try shell("pdfinfo sheet.pdf").output
        #expect(facts.contains(size) && facts.contains("Pages:           1"), "\(facts)")
        let text = try shell("pdftotext -layout sheet.pdf -").output
        #expect(
            text.contains("A new document begins after this sheet.")
                && text.contains("COPYSTAND-SEPARATOR"))
    }

    @Test(
        "A sheet that was printed and scanned is read in both codes, at any resolution, turned and noisy"
    )
    func printed() throws {
        // Poppler draws the sheet and PIL adds noise, so the scan is independent of our code.
        try Data(
            """
            import random, sys
            from PIL import Image, ImageFilter
            for index, (name, turn, noise) in enumerate([("p-150.png", 2, 20), ("p-300.png", -3, \
            35), ("p-150.png", 90, 20), ("p-150.png", 180, 30)]):
                page = Image.open(name).convert("L").rotate(turn, expand=True, fillcolor=245, \
                resample=Image.BICUBIC)
                page = page.filter(ImageFilter.GaussianBlur(0.7))
                page = Image.blend(page, Image.effect_noise(page.size, noise), 0.15)
                page.save(f"scan-{index}.png")
            """.utf8
        ).write(to: URL(filePath: home.path + "/rough.py"))
        let made = try shell(
            "$P separator -o sheet.pdf && for d in 150 300; do pdftoppm -r $d -gray -png -singlefile sheet.pdf p-$d; done && python3 rough.py"
        )
        #expect(made.status == 0, "\(made.errors)")
        let answer = try answer("$P import scan-*.png --profile none --step barcodes=on -o out.txt")
        #expect(answer.pages.count == 4)
        for page in answer.pages {
            #expect(Set(page.barcodes.map(\.format)) == ["Code128", "QRCode"])
            #expect(page.barcodes.allSatisfy { $0.text == "COPYSTAND-SEPARATOR" })
        }
    }

    @Test(
        "A stack with a sheet in it becomes two documents with the document profile")
    func split() throws {
        let made = try shell(
            "$P separator -o sheet.pdf && pdftoppm -r 200 -gray -png -singlefile sheet.pdf b-sheet && cp b-sheet.png d-sheet.png"
                + " && cp \(Self.samples)/01-letter.* a.jpg && cp a.jpg c.jpg")
        #expect(made.status == 0, "\(made.errors)")
        let answer = try answer(
            "$P import a.jpg b-sheet.png c.jpg d-sheet.png --split-at separator -o letter.pdf")
        #expect(answer.documents?.map(\.locations) == [["letter-001.pdf"], ["letter-002.pdf"]])
        #expect(answer.pages.map(\.document) == [1, 0, 2, 0])
        for name in ["letter-001.pdf", "letter-002.pdf"] {
            #expect(try shell("pdfinfo \(name)").output.contains("Pages:           1"))
        }
    }

    private static let samples = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Samples").path

    @Test("An invalid pattern is a usage error, reported with its place")
    func wrongPattern() throws {
        let outcome = try shell("$P import x.png --split-at 'ASN[' -o x.pdf")
        #expect(outcome.status == 2)
        #expect(
            outcome.errors.contains("'ASN['") && outcome.errors.contains("at character 4"),
            "\(outcome.errors)")
        let misspelled = try shell("$P scan --split-at seperator -o x.pdf")
        #expect(misspelled.status == 2 && misspelled.errors.contains("did you mean 'separator'"))
    }

    @Test("The sheet overwrites no file, and can only be a PDF")
    func refused() throws {
        #expect(try shell("echo mine > sheet.pdf; $P separator -o sheet.pdf").status != 0)
        #expect(try shell("cat sheet.pdf").output == "mine\n")
        #expect(try shell("$P separator -o sheet.txt").status == 2)
        #expect(try shell("$P separator").status == 2)
    }
}
