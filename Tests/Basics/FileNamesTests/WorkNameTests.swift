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

    /// A temporary name of a process of this machine that has ended.
    private static func abandoned(_ name: String = "a.pdf") throws -> String {
        let own = ProcessMark.own.text.split(separator: "-")
        var child: pid_t = 0
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
        defer { free(words[0]) }
        try #require(posix_spawn(&child, "/bin/true", nil, nil, &words, environ) == 0)
        waitpid(child, nil, 0)
        return ".\(name).k3x0qa.\(own[0])-\(child)-\(own[2]).partial"
    }

    private func make(_ name: String) {
        close(open(folder + "/" + name, O_CREAT | O_WRONLY, 0o600))
    }

    private func left() -> Set<String> { Set(FileNames.names(in: folder) ?? []) }

    @Test("Files and folders that a dead process left are removed")
    func removed() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        make(try Self.abandoned())
        make(try Self.abandoned(FileNames.text([0xFF, 0x0A])))
        let inner = folder + "/" + (try Self.abandoned("backend"))
        mkdir(inner, 0o700)
        mkdir(inner + "/x", 0o700)
        close(open(inner + "/x/y", O_CREAT | O_WRONLY, 0o600))
        WorkName.removeLeftovers(in: folder)
        #expect(left() == [])
    }

    @Test("Files in progress, other machines' files and users' own files stay")
    func kept() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let own = ProcessMark.own.text.split(separator: "-")
        let gone = try Self.abandoned()
        let names = [
            WorkName.new(for: "mine.pdf"),
            gone.replacing(String(own[0]), with: "0123456789abcdef"),
            String(gone.dropFirst()), gone + ".pdf", gone + ".replaced", ".a.pdf.k3x0qa.partial",
            ".a.partial", "a.partial", ".partial", ".bk.4711.partial",
        ]
        names.forEach(make)
        mkfifo(folder + "/" + (try Self.abandoned("pipe")), 0o600)
        let locked = try Self.abandoned("locked")
        make(locked)
        let held = open(folder + "/" + locked, O_RDONLY | O_CLOEXEC)
        flock(held, LOCK_SH)
        WorkName.removeLeftovers(in: folder)
        #expect(left().isSuperset(of: names + [locked]) && left().count == names.count + 2)
        // A program that another test starts may have inherited the descriptor.
        flock(held, LOCK_UN)
        close(held)
        WorkName.removeLeftovers(in: folder)
        #expect(!left().contains(locked))
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
