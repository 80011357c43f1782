import CaptureKit
import ContractSupport
import FoundationEssentials
import Glibc
import Testing

@testable import CaptureHost

/// Tests a spool into which someone puts links, pipes, sockets, devices and folders.
@Suite(.timeLimit(.minutes(1))) struct HostileSpoolTests {
    private let folder: TemporaryFolder
    private let spool: SpoolFolder
    private let outside: Outside
    private let frame = FrameDescription(format: .gray8, width: 40, height: 30)
    private static let rows = [UInt8](repeating: 7, count: 1200)

    init() throws {
        folder = try TemporaryFolder()
        outside = try Outside()
        try #require(mkdir(folder.file("job"), 0o700) == 0)
        spool = SpoolFolder(path: folder.file("job"))
    }

    /// The places of a spool where a file is expected, and what reads or writes it.
    enum Place: String, CaseIterable {
        case pixels = "page-0001.raw"
        case note = "page-0001.json"
        case text = "page-0001.text"
        case arrival = "page-0001.arrived"
        case newPixels = "page-0002.raw.part"
        case newNote = "page-0002.json.part"
        case newOriginal = "page-0002.jpg.part"
        case separated = "page-0001.raw.part"
    }

    private func store(_ number: Int) throws -> CapturedPage {
        try Self.rows.withUnsafeBytes {
            try spool.store(
                number, frame, rows: $0,
                original: EncodedOriginal(mediaType: "image/jpeg", bytes: [1, 2, 3]))
        }
    }

    private func use(_ place: Place) throws {
        switch place {
        case .pixels: try spool.pages()[0].mapPixels().release()
        case .note: _ = try spool.pages()
        case .text:
            _ = try CapturedPage(
                number: 1, description: frame, pixels: spool.pagePath(1, "raw"), original: nil,
                text: spool.pagePath(1, "text")
            ).ownText()
        case .arrival:
            unlink(spool.pagePath(1, "raw"))
            try spool.takeUp()
        case .newPixels, .newNote, .newOriginal: _ = try store(2)
        case .separated:
            try #require(link(spool.pagePath(1, "raw"), folder.file("delivered")) == 0)
            try spool.separatePages()
        }
    }

    @Test(
        "Something else in place of a page's file is named, and nothing outside is read or written",
        arguments: Place.allCases, HostileEntry.allCases)
    func files(place: Place, entry: HostileEntry) throws {
        _ = try store(1)
        let path = spool.path + "/" + place.rawValue
        guard outside.put(entry, at: path) else { return }
        #expect { try use(place) } throws: {
            guard let error = $0 as? HostError else { return false }
            return error.code == .spoolFailed
                && error.description.contains(
                    "'\(path)' is \(entry.words), not a file. Move it away.")
        }
        #expect(outside.isUntouched)
    }

    @Test("A link in place of the spool's folder is named", arguments: [false, true])
    func linkedFolder(isDangling: Bool) throws {
        let path = folder.file("linked")
        try #require(
            isDangling ? outside.put(.danglingLink, at: path) : outside.link(at: path))
        let linked = SpoolFolder(path: path)
        for use in [{ _ = try linked.pages() }, { try linked.takeUp() }, { try linked.sync() }] {
            #expect { try use() } throws: {
                ($0 as? HostError)?.message == "'\(path)' is a link, not a folder"
            }
        }
        #expect(outside.isUntouched)
    }

    @Test("A note that names files elsewhere means those of its own folder")
    func notedPaths() throws {
        _ = try store(1)
        let victim = folder.file("victim")
        Bench.write("precious", to: victim)
        let note = spool.pagePath(1, "json")
        let text = try String(contentsOfFile: note, encoding: .utf8)
        let original = spool.pagePath(1, "jpg").replacing("/", with: "\\/")
        #expect(text.contains(original))
        Bench.write(
            text.replacing(original, with: victim.replacing("/", with: "\\/")), to: note)
        let page = try #require(try spool.pages().first)
        #expect(page.original?.path == spool.path + "/victim")
        page.discard()
        #expect(FileManager.default.fileExists(atPath: victim))
    }

    @Test("Something else in place of a device's claim is named", arguments: HostileEntry.allCases)
    func claims(entry: HostileEntry) throws {
        let claims = DeviceClaims(folder: folder.file("claims"))
        do { _ = try #require(claims.claim("virtual:feeder", for: "a job")) }
        try claims.check("virtual:feeder")
        let name = try #require(
            FileManager.default.contentsOfDirectory(atPath: folder.file("claims")).first)
        let path = folder.file("claims") + "/" + name
        guard outside.put(entry, at: path) else { return }
        #expect { try claims.check("virtual:feeder") } throws: {
            ($0 as? HostError)?.message == "'\(path)' is \(entry.words), not a file"
        }
        #expect(claims.user(of: "virtual:feeder") == nil)
        #expect(outside.isUntouched)
    }
}
