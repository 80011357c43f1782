import FoundationEssentials
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
        for ending in FileFormat.all.flatMap(\.endings) {
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

    @Test("Every format in the folder is in the list, each once, with endings of its own")
    func complete() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Delivery/Delivery/Formats").path
        var declared: [String] = []
        for file in try FileManager.default.subpathsOfDirectory(atPath: root)
        where file.hasSuffix(".swift") {
            let text = try String(contentsOfFile: root + "/" + file, encoding: .utf8)
            declared += text.matches(
                of: /public static let \w+ = (?:Self|images)\(\s*\[?"(\.[a-z.]+)"/
            ).map { String($0.1) }
        }
        #expect(declared.sorted() == FileFormat.all.map { $0.endings[0] }.sorted())
        let endings = FileFormat.all.flatMap(\.endings)
        #expect(Set(endings).count == endings.count)
    }

    @Test("The endings are listed with their remarks, for the help of commands")
    func listed() {
        #expect(
            FileFormat.list
                == ".pdf (searchable), .tiff, .png, .jpg or .webp (one file per page), .txt, .csv (the tables), .hocr, .alto.xml, .json"
        )
    }
}
