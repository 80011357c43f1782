import Documents
import FoundationEssentials
import Glibc
import HTTPClient
import Synchronization
import Testing

@testable import Delivery

/// Tests an outbox in which something else is in the place of an item's folder or of its files.
@Suite(.timeLimit(.minutes(1))) struct HostileOutboxTests {
    /// What someone may put where a file is expected.
    enum Entry: CaseIterable {
        case link, danglingLink, pipe, socket, folder, device

        var words: String {
            switch self {
            case .link, .danglingLink: "a link"
            case .pipe: "a pipe"
            case .socket: "a socket"
            case .folder: "a folder"
            case .device: "a device"
            }
        }
    }

    private let bench: OutboxBench
    private var outside: String { bench.folder + "/outside" }
    private var root: String { bench.store.root }

    init() throws {
        bench = try OutboxBench()
        try #require(mkdir(outside, 0o700) == 0)
        try Data("secret".utf8).write(to: URL(filePath: outside + "/file"))
    }

    private var isOutsideUntouched: Bool {
        namesIn(outside) == ["file"]
            && (try? Data(contentsOf: URL(filePath: outside + "/file"))) == Data("secret".utf8)
    }

    /// Puts something else in the place of a file; false for a device, which only root may make.
    private func put(_ entry: Entry, at path: String) -> Bool {
        try? FileManager.default.removeItem(atPath: path)
        return switch entry {
        case .link: symlink(outside + "/file", path) == 0
        case .danglingLink: symlink(outside + "/new", path) == 0
        case .pipe: mkfifo(path, 0o600) == 0
        case .socket: mknod(path, S_IFSOCK | 0o600, 0) == 0
        case .folder: mkdir(path, 0o700) == 0
        case .device: mknod(path, S_IFCHR | 0o600, dev_t(0x0103)) == 0
        }
    }

    /// Puts a document into the outbox, whose service does not answer.
    private func wait() throws -> (id: String, outbox: Outbox) {
        let sink = bench.definition(.webhook) { $0.url = "http://127.0.0.1:9/" }
        let (receipt, outbox) = try bench.send("hook", ["hook": sink])
        return (String(try #require(receipt.locations.first).dropFirst("outbox:".count)), outbox)
    }

    /// Every file of an item's folder; nil for its document.
    private static let names: [String?] = [
        "item.json", "lock", nil, "sending", "smaller-1.jpg", "smaller-1.pdf",
    ]

    @Test(
        "Something else in place of an item's file is named, and the other items are tried",
        arguments: names, Entry.allCases)
    func files(name: String?, entry: Entry) throws {
        let (id, outbox) = try wait()
        let document = try #require(try outbox.store.item(id).files.first).name
        let path = "\(root)/\(id)/\(name ?? document)"
        guard put(entry, at: path) else { return }
        let message = "'\(path)' is \(entry.words), not a file. Move it away."
        #expect(failure { _ = try outbox.store.item(id) }?.message == message)
        #expect(failure { _ = try outbox.deliver(id) }?.message == message)
        #expect(outbox.store.sentBytes(of: id) == nil)
        bench.clock.withLock { $0 += 1 }
        let (other, _) = try wait()
        #expect(outbox.deliver(isDue: false).map(\.id) == [other])
        #expect(outbox.store.items().count == 2)
        #expect(isOutsideUntouched)
    }

    @Test(
        "Something else in place of an item's folder is named, and never entered",
        arguments: Entry.allCases.filter { $0 != .folder }, [false, true])
    func itemFolder(entry: Entry, leadsToFolder: Bool) throws {
        let (id, outbox) = try wait()
        let fake = String(id.dropLast(6)) + "zzzzzz"
        let path = root + "/" + fake
        guard leadsToFolder ? symlink(outside, path) == 0 : put(entry, at: path) else { return }
        let words = leadsToFolder ? "a link" : entry.words
        let message = "'\(path)' is \(words), not a folder. Move it away."
        #expect(failure { _ = try outbox.store.item(fake) }?.message == message)
        #expect(failure { _ = try outbox.deliver(fake) }?.message == message)
        #expect(failure { try outbox.store.drop(fake) }?.message == message)
        #expect(outbox.deliver(isDue: false).map(\.id) == [id])
        #expect(isOutsideUntouched)
    }

    @Test("Something else in place of a delivery's record is named", arguments: Entry.allCases)
    func record(entry: Entry) throws {
        let (id, outbox) = try wait()
        let path = "\(root)/delivered/\(id)"
        try #require(mkdir(root + "/delivered", 0o700) == 0)
        guard put(entry, at: path) else { return }
        let message = "'\(path)' is \(entry.words), not a file. Move it away."
        #expect(outbox.store.problem == message)
        #expect(failure { _ = try outbox.deliver(id) }?.message == message)
        #expect(
            failure {
                try DeliveredNotes(outbox.store).write(
                    .init(
                        receipt: Receipt(sink: "hook", locations: [], pages: 1, bytes: 1),
                        job: "job-1", made: 1), id)
            }?.message == message)
        #expect(DeliveredNotes(outbox.store).note(id) == nil)
        // The document may have been delivered, so it does not count as not delivered.
        #expect(
            failure { _ = try DeliveredNotes(outbox.store).standing(id) }?.message == message)
        #expect(isOutsideUntouched)
    }

    @Test("A link in place of the records' folder gets none")
    func records() throws {
        let (id, outbox) = try wait()
        try #require(symlink(outside, root + "/delivered") == 0)
        let message = "'\(root)/delivered' is a link, not a folder. Move it away."
        #expect(outbox.store.problem == message)
        #expect(failure { _ = try outbox.deliver(id) }?.message == message)
        #expect(isOutsideUntouched)
    }

    @Test(
        "An item that names files outside its folder is damaged",
        arguments: ["../a", "/etc/passwd"])
    func namedOutside(name: String) throws {
        let (id, outbox) = try wait()
        var item = try outbox.store.item(id)
        item.files[0].name = name
        try outbox.store.save(item)
        #expect(
            failure { _ = try outbox.deliver(id) }?.message
                .contains("'\(name)' is not the name of a file in its folder") == true)
    }

    @Test(
        "No request waits for what is in place of its file", arguments: Entry.allCases,
        [false, true])
    func request(entry: Entry, isForm: Bool) throws {
        let path = bench.folder + "/body"
        guard put(entry, at: path) else { return }
        let part = WebRequest.Part(
            name: "file", content: .file(path: path, name: "a.pdf", mediaType: "application/pdf"))
        let body: WebRequest.Body =
            isForm ? .form([part]) : .file(path: path, mediaType: "application/pdf")
        #expect {
            _ = try CurlClient().send(WebRequest("PUT", "http://127.0.0.1:9/", body: body))
        } throws: {
            ($0 as? HTTPFailure)?.message
                == "'\(path)' is \(entry.words), not a file. Move it away."
        }
        #expect(
            failure { _ = try FileSource(path) }?.message
                == "'\(path)' is \(entry.words), not a file. Move it away.")
    }

    @Test("Dropping an item, and what was left of one, follows no link")
    func removing() throws {
        let (id, outbox) = try wait()
        try #require(symlink(outside, "\(root)/\(id)/picture") == 0)
        try #require(symlink(outside, "\(root)/.gone-\(id)") == 0)
        try outbox.store.drop(id)
        #expect(outbox.store.items().isEmpty && isOutsideUntouched)
        outbox.store.removeLeftovers()
        #expect(isOutsideUntouched)
    }

    @Test("An outbox that others can change is refused, and says so")
    func foreign() throws {
        try #require(mkdir(root, 0o700) == 0 && chmod(root, 0o777) == 0)
        let message =
            "Other users can change what is in '\(root)'. Forbid it with: chmod go-w \(root) (or name a folder of your own in COPYSTAND_OUTBOX)"
        #expect(failure { try bench.store.check() }?.message == message)
        #expect(failure { _ = try wait() }?.message == message)
        #expect(namesIn(root).isEmpty)
    }

    @Test("A folder's sink takes the next name where something else has the first")
    func target() throws {
        let place = bench.folder + "/place"
        try #require(mkdir(place, 0o700) == 0)
        let sink = bench.definition(.file) { $0.template = place + "/{title}.pdf" }
        try #require(mkfifo("\(place)/\(sampleInfo.title).pdf", 0o600) == 0)
        let (receipt, _) = try bench.send("place", ["place": sink])
        #expect(receipt.locations == ["\(place)/\(sampleInfo.title)-2.pdf"])
    }
}
