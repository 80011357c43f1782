import Testing

@testable import ScanService

@Suite struct DocumentNamesTests {
    private func outputs(_ output: String, _ documents: [String?]) -> [String] {
        var names = DocumentNames([output])
        return documents.enumerated().map { index, name in
            names.outputs(names.place(index + 1, name))[0]
        }
    }

    @Test(
        "An output without a placeholder gets the number before its extension, and an archive gets none"
    )
    func numbered() {
        #expect(
            outputs("a/letters.alto.xml", [nil, "x"]) == [
                "a/letters-001.alto.xml", "a/letters-002.alto.xml",
            ])
        #expect(outputs("{n}.pdf", [nil, nil]) == ["001.pdf", "002.pdf"])
        #expect(outputs("archive:/a/b.c", [nil, "x"]) == ["archive:/a/b.c", "archive:/a/b.c"])
    }

    @Test(
        "A barcode names the file, a number replaces a missing name, and no two names are the same"
    )
    func named() {
        #expect(outputs("{name}.pdf", ["A1", nil, "A1"]) == ["A1.pdf", "002.pdf", "A1-003.pdf"])
        #expect(
            outputs("{name}.pdf", ["002", nil, "002-002"]) == [
                "002.pdf", "002-002.pdf", "002-002-003.pdf",
            ])
        #expect(outputs("{n} {name}.pdf", ["A1", "A1"]) == ["001 A1.pdf", "002 A1-002.pdf"])
    }

    @Test("A barcode can't lead into another folder or make a hidden file")
    func hostile() {
        #expect(
            outputs("x/{name}.pdf", ["../../etc/passwd", "/", ".", "a\nb"]).allSatisfy {
                $0.split(separator: "/").count == 2 && !$0.contains("/.") && !$0.contains("\n")
            })
    }

    @Test("A job's only document is delivered to the requested place")
    func only() {
        #expect(DocumentNames(["{n}.pdf", "b.txt"]).outputs(.only) == ["{n}.pdf", "b.txt"])
    }
}
