import Foundation
import Testing

/// Tests text that is contained in PDFs, from the file to the documents.
@Suite struct OwnTextTests {
    let program: Program
    init() throws { program = try Program() }

    /// A PDF of pages with some text each.
    private func pdf(_ name: String, _ texts: [String]) throws {
        var objects = [
            "<< /Type /Catalog /Pages 2 0 R >>", "",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        ]
        var kids: [String] = []
        for text in texts {
            let content = "BT /F1 24 Tf 60 700 Td (\(text)) Tj ET"
            objects.append("<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream")
            objects.append(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents \(objects.count) 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
            )
            kids.append("\(objects.count) 0 R")
        }
        objects[1] =
            "<< /Type /Pages /Kids [\(kids.joined(separator: " "))] /Count \(kids.count) >>"
        var file = "%PDF-1.5\n"
        for (index, object) in objects.enumerated() {
            file += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        // The file has no table of offsets, so readers search for the objects.
        file += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\n%%EOF\n"
        _ = try program.home.file(name, Array(file.utf8))
    }

    @Test(
        "A PDF's words come out exactly, whatever the profile reads",
        arguments: ["none", "document"])
    func exact(profile: String) throws {
        // A reader for English would not read these words.
        try pdf("a.pdf", ["Gr\\366\\337e der Stra\\337e in K\\366ln"])
        let ending = try program.run(
            ["import", "a.pdf", "-p", profile, "-o", "out.txt", "-o", "out.pdf"])
        #expect(ending.status == 0, "\(ending.messages)")
        let text = try String(
            contentsOf: URL(filePath: program.home.path + "/out.txt"), encoding: .utf8)
        #expect(text.contains("Größe der Straße in Köln"))
        let inPDF = try #require(try tool("pdftotext", program.home.path + "/out.pdf", "-"))
        #expect(inPDF.contains("Größe der Straße in Köln"))
    }

    @Test("A PDF's text is dropped, or read again, on request")
    func otherwise() throws {
        try pdf("a.pdf", ["Gr\\366\\337e"])
        for (what, isThere) in [("drop", false), ("redo", true), ("keep", true)] {
            let ending = try program.run([
                "import", "a.pdf", "--existing-text", what, "-o", what + ".txt", "--json",
            ])
            #expect(ending.status == 0, "\(ending.messages)")
            let text = try String(
                contentsOf: URL(filePath: program.home.path + "/" + what + ".txt"),
                encoding: .utf8)
            #expect(text.contains("Gr") == isThere, "\(what): \(text)")
            #expect(ending.output.contains("kept the page's own") == (what == "keep"))
        }
    }
}
