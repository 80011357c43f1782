import Testing

@testable import Delivery

@Suite struct FileFormatTests {
    @Test(
        "The ending chooses the format",
        arguments: [
            ("a.pdf", FileFormat.pdf), ("Letters/May.PDF", .pdf), ("a.tif", .tiff),
            ("a.tiff", .tiff),
            ("a.png", .png), ("a.jpg", .jpeg), ("a.JPEG", .jpeg), ("a.webp", .webp),
            ("a.txt", .text),
            ("a.b.hocr", .hocr), ("a.alto.xml", .alto), ("/tmp/a.Alto.XML", .alto),
            ("a.json", .json),
            ("Ω ü.pdf", .pdf), ("..pdf.pdf", .pdf),
        ])
    func known(path: String, format: FileFormat) throws {
        #expect(try FileFormat(path: path) == format)
    }

    @Test(
        "An unknown extension is refused with the nearest one and the list",
        arguments: [
            ("a.pfd", "Did you mean '.pdf'?"), ("a.tifff", "Did you mean '.tiff'"),
            ("a.jpgg", "'.jpg'?"), ("a", "has no ending"), ("scan/", "names a folder"),
            ("", "names a folder"), (".pdf", "no name"), ("a.docx", "names no format"),
            ("a.pdf/", "names a folder"), ("a.p\u{0}df", "zero byte"),
        ])
    func unknown(path: String, says: String) throws {
        let error = try #require(failure { _ = try FileFormat(path: path) })
        #expect(error.code == .unknownFormat)
        #expect(error.message.contains(says), "\(error.message)")
    }

    @Test("The message for an unknown extension lists every extension")
    func list() throws {
        let error = try #require(failure { _ = try FileFormat(path: "a.docx") })
        for ending in FileFormat.allCases.flatMap(\.endings) {
            #expect(error.message.contains(ending))
        }
    }

    @Test("Files of a document are numbered from 001, with more digits if needed")
    func names() throws {
        let file = try FileName(path: "x/May.PNG")
        #expect(file.folder == "x")
        #expect(file.names(count: 1, attempt: 1) == ["May.PNG"])
        #expect(file.names(count: 2, attempt: 1) == ["May-001.PNG", "May-002.PNG"])
        #expect(file.names(count: 2, attempt: 3) == ["May-3-001.PNG", "May-3-002.PNG"])
        #expect(file.names(count: 1000, attempt: 1).last == "May-1000.PNG")
        #expect(file.names(count: 1000, attempt: 1).first == "May-0001.PNG")
        #expect(try FileName(path: "/May.pdf").folder == "/")
    }

    @Test("The catalog makes sinks and checks their options")
    func catalog() throws {
        let kind = try SinkCatalog.kind("file")
        #expect(try kind.sink(to: "a.pdf", options: ["pdf-quality": 60]).name == "a.pdf")
        let unknown = try #require(
            failure { _ = try kind.sink(to: "a.pdf", options: ["pdf-qality": 1]) })
        #expect(unknown.code == .invalidOption)
        #expect(unknown.message.contains("Did you mean 'pdf-quality'"))
        let outside = try #require(
            failure { _ = try kind.sink(to: "a.pdf", options: ["webp-quality": 0]) })
        #expect(outside.message.contains("1 to 100"))
        #expect(failure { _ = try SinkCatalog.kind("fiel") }?.message.contains("'file'") == true)
        #expect(failure { _ = try kind.sink(to: "a.doc") }?.code == .unknownFormat)
    }

    @Test("Every option of every kind has a default within its range")
    func defaults() {
        for option in SinkCatalog.kinds.flatMap(\.options) {
            #expect(option.range.contains(option.defaultValue), "\(option.name)")
        }
    }
}
