import FileNames
import FoundationEssentials
import Glibc
import Testing

@Suite struct WorkNameTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/work-names-XXXXXX".utf8CString)
        folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    @Test("Only names of processes that have ended here are abandoned")
    func abandoned() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let own = ProcessMark.own.text.split(separator: "-")
        let gone = ".a.pdf.k3x0qa.\(own[0])-\(own[1])-1.partial"
        #expect(WorkName.isAbandoned(gone))
        for name in [
            WorkName.new(for: "mine.pdf"),
            gone.replacing(String(own[0]), with: "0123456789abcdef"),
            String(gone.dropFirst()), gone + ".pdf", gone + ".replaced", ".a.pdf.k3x0qa.partial",
            ".a.partial", "a.partial", ".partial", ".bk.4711.partial",
        ] {
            #expect(!WorkName.isAbandoned(name), "\(name)")
        }
    }

    @Test("A process with a reused number is another process")
    func reusedNumber() throws {
        let own = ProcessMark.own.text.split(separator: "-")
        let other = try #require(ProcessMark("\(own[0])-\(own[1])-1"))
        #expect(other.isGone)
        #expect(!ProcessMark.own.isGone)
        #expect(ProcessMark("\(own[0])-\(own[1])") == nil)
        #expect(ProcessMark("\(own[0])--5-1") == nil)
    }

    @Test("The longest name has a hidden name next to it")
    func longest() {
        for name in [
            String(repeating: "a", count: 255),
            FileNames.text([UInt8](repeating: 0xFE, count: 255)),
        ] {
            let hidden = WorkName.new(for: name)
            #expect(FileNames.length(hidden + ".replaced") <= 255)
            #expect(close(open(folder + "/" + hidden, O_CREAT | O_WRONLY, 0o600)) == 0)
        }
        try? FileManager.default.removeItem(atPath: folder)
    }
}
