import Documents
import Glibc
import Imaging
import Testing

@testable import Delivery

let allEndings = [".pdf", ".tiff", ".png", ".jpg", ".webp", ".txt", ".hocr", ".alto.xml", ".json"]

private let pages = [
    samplePage(
        samplePicture(.gray8, width: 64, height: 48), text: sampleText([sampleLine(["one"], y: 9)])),
    samplePage(samplePicture(.gray8, width: 64, height: 48), number: 2),
]

@Suite struct FileSinkTests {
    @Test(
        "A document appears complete under its name, and nothing else is left",
        arguments: allEndings)
    func delivers(ending: String) throws {
        let folder = try TemporaryFolder()
        let receipt = try deliver(pages, to: folder.path + "/May" + ending)
        let isSet = try FileFormat(path: "a" + ending).isOneFileAPage
        let expected = isSet ? ["May-001" + ending, "May-002" + ending] : ["May" + ending]
        #expect(folder.names == expected)
        #expect(receipt.locations == expected.map { folder.path + "/" + $0 })
        #expect(receipt.pages == 2)
        #expect(
            receipt.bytes
                == (try expected.reduce(0) { try $0 + contents(folder.path + "/" + $1).count }))
    }

    @Test("A single page is not numbered", arguments: [".png", ".jpg", ".webp"])
    func single(ending: String) throws {
        let folder = try TemporaryFolder()
        #expect(try deliver([pages[0]], to: folder.path + "/May" + ending).pages == 1)
        #expect(folder.names == ["May" + ending])
    }

    @Test(
        "A name that is taken is refused immediately, and the file stays as it is",
        arguments: allEndings)
    func taken(ending: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/May" + ending
        try put([1, 2, 3], path)
        let error = try #require(failure { try deliver(pages, to: path) })
        #expect(error.code == .alreadyExists)
        #expect(error.message.contains(path))
        #expect(error.message.contains("Choose another name"))
        #expect(try contents(path) == [1, 2, 3])
        #expect(folder.names == ["May" + ending])
    }

    @Test("The first numbered name counts as taken as well")
    func takenNumber() throws {
        let folder = try TemporaryFolder()
        try put([1], folder.path + "/May-001.png")
        #expect(
            failure { try deliver(pages, to: folder.path + "/May.png") }?.code == .alreadyExists)
    }

    @Test("A dangling link is a name that is taken")
    func dangling() throws {
        let folder = try TemporaryFolder()
        symlink("nowhere", folder.path + "/May.pdf")
        #expect(
            failure { try deliver(pages, to: folder.path + "/May.pdf") }?.code == .alreadyExists)
    }

    @Test(
        "A file that appears in the meantime is kept, and the document gets the next name",
        arguments: allEndings)
    func race(ending: String) throws {
        let folder = try TemporaryFolder()
        let writer = try FileSink(path: folder.path + "/May" + ending).begin(sampleInfo)
        try writer.add(pages[0])
        try put([9], folder.path + "/May" + ending)
        try put([8], folder.path + "/May-2" + ending)
        let receipt = try writer.finish()
        #expect(receipt.locations == [folder.path + "/May-3" + ending])
        #expect(folder.names.count == 3)
        #expect(try contents(folder.path + "/May" + ending) == [9])
        #expect(try contents(folder.path + "/May-2" + ending) == [8])
    }

    @Test("A set of files moves to the next name as a whole")
    func raceOfSet() throws {
        let folder = try TemporaryFolder()
        let writer = try FileSink(path: folder.path + "/May.png").begin(sampleInfo)
        for page in pages { try writer.add(page) }
        try put([9], folder.path + "/May-002.png")
        let receipt = try writer.finish()
        #expect(
            receipt.locations == ["May-2-001.png", "May-2-002.png"].map { folder.path + "/" + $0 })
        #expect(folder.names == ["May-002.png", "May-2-001.png", "May-2-002.png"])
        #expect(try contents(folder.path + "/May-002.png") == [9])
    }

    @Test("Many writers of one name each get their own name")
    func crowd() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/May.txt"
        let writers = try (0..<16).map { _ in try FileSink(path: path).begin(sampleInfo) }
        let places = try await withThrowingTaskGroup(of: [String].self) { group in
            for writer in writers {
                group.addTask {
                    try writer.add(pages[0])
                    return try writer.finish().locations
                }
            }
            return try await group.reduce(into: [String]()) { $0 += $1 }
        }
        #expect(Set(places).count == 16)
        #expect(folder.names.count == 16)
    }

    @Test("A missing folder is refused with the command that makes it", arguments: allEndings)
    func missingFolder(ending: String) throws {
        let folder = try TemporaryFolder()
        let error = try #require(
            failure { try deliver(pages, to: folder.path + "/my scans/May" + ending) })
        #expect(error.code == .folderMissing)
        #expect(error.message.contains("mkdir -p '\(folder.path)/my scans'"))
    }

    @Test("A file at the place of a folder is reported as not being a folder")
    func notAFolder() throws {
        let folder = try TemporaryFolder()
        try put([], folder.path + "/May")
        #expect(
            failure { try deliver(pages, to: folder.path + "/May/a.pdf") }?.code == .folderMissing)
    }

    @Test(
        "A folder that may not be written to is refused",
        .enabled(if: geteuid() != 0, "root may write to every folder"))
    func readOnlyFolder() throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o500)
        defer { chmod(folder.path, 0o700) }
        #expect(
            failure { try deliver(pages, to: folder.path + "/a.pdf") }?.code == .permissionDenied)
    }

    @Test("A name that is too long is an error, not a crash")
    func longName() throws {
        let folder = try TemporaryFolder()
        let stem = String(repeating: "ü", count: 200)
        #expect(
            failure { try deliver(pages, to: folder.path + "/\(stem).pdf") }?.code == .inputOutput)
        let longest = String(repeating: "n", count: 251)
        try deliver(pages, to: folder.path + "/\(longest).pdf")
        #expect(folder.names == [longest + ".pdf"])
    }

    @Test("A folder that is removed in the meantime is an error", arguments: allEndings)
    func removedFolder(ending: String) throws {
        let folder = try TemporaryFolder()
        let inner = folder.path + "/inner"
        mkdir(inner, 0o700)
        let writer = try FileSink(path: inner + "/May" + ending).begin(sampleInfo)
        try writer.add(pages[0])
        removeTree(inner)
        let error = try #require(failure { _ = try writer.finish() })
        #expect(error.code == .folderMissing)
        #expect(folder.names == [])
    }

    @Test("Canceling leaves nothing, and ends the document", arguments: allEndings)
    func cancel(ending: String) throws {
        let folder = try TemporaryFolder()
        let writer = try FileSink(path: folder.path + "/May" + ending).begin(sampleInfo)
        for page in pages { try writer.add(page) }
        writer.cancel()
        #expect(folder.names == [])
        #expect(failure { try writer.add(pages[0]) } != nil)
        #expect(failure { _ = try writer.finish() } != nil)
        writer.cancel()
    }

    @Test("Releasing a writer leaves nothing", arguments: allEndings)
    func abandon(ending: String) throws {
        let folder = try TemporaryFolder()
        do {
            let writer = try FileSink(path: folder.path + "/May" + ending).begin(sampleInfo)
            try writer.add(pages[0])
        }
        #expect(folder.names == [])
    }

    @Test("Canceling after the end undoes nothing")
    func cancelLate() throws {
        let folder = try TemporaryFolder()
        let writer = try FileSink(path: folder.path + "/May.txt").begin(sampleInfo)
        try writer.add(pages[0])
        _ = try writer.finish()
        writer.cancel()
        #expect(folder.names == ["May.txt"])
        #expect(failure { _ = try writer.finish() }?.message.contains("finished") == true)
    }

    @Test("A document without pages is not written", arguments: allEndings)
    func noPages(ending: String) throws {
        let folder = try TemporaryFolder()
        let error = try #require(failure { try deliver([], to: folder.path + "/May" + ending) })
        #expect(error.message.contains("no pages"))
        #expect(folder.names == [])
    }

    @Test("A picture that a format cannot hold is an error that leaves nothing")
    func tooWide() throws {
        let folder = try TemporaryFolder()
        let wide = samplePage(Raster(width: 16_400, height: 1, format: .gray8))
        let error = try #require(
            failure { try deliver([pages[0], wide], to: folder.path + "/May.webp") })
        #expect(error.code == .unsupported)
        #expect(error.message.contains("could not be written. WebP holds at most 16,383 pixels"))
        #expect(folder.names == [])
    }

    @Test("Pages of a PDF wait in the requested spool folder")
    func spoolFolder() throws {
        let folder = try TemporaryFolder()
        let options = FileSinkOptions(spoolFolder: folder.path + "/nowhere")
        let error = try #require(
            failure { try deliver(pages, to: folder.path + "/May.pdf", options: options) })
        #expect(error.message.contains(folder.path + "/nowhere"))
    }

    @Test("New files have the permissions the user's mask leaves")
    func permissions() throws {
        let folder = try TemporaryFolder()
        try deliver(pages, to: folder.path + "/May.txt")
        let mask = umask(0)
        umask(mask)
        var status = stat()
        #expect(stat(folder.path + "/May.txt", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o666 & ~mask)
        #expect(status.st_nlink == 1)
    }
}
