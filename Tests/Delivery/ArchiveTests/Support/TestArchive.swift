import Delivery
import Documents
import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import Archive

/// A folder for an archive, which is removed with this value.
final class TestFolder: Sendable {
    let path: String
    /// The kind of storage of the archive.
    let home = ArchiveHome.current
    /// The address of the database, once it exists.
    private let address = Mutex<String?>(nil)

    /// In memory if there is such a file system: the tests end processes, not machines, and syncing
    /// a disk would take most of the time.
    init() throws {
        let place = access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(place)/copystand-archive-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ArchiveError.system(errno, "make", "/tmp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        if let address = address.withLock({ $0 }) { TestDatabases.drop(address) }
        removeTree(path)
    }

    /// The folder of the archive.
    var archive: String { path + "/archive" }

    func open(_ access: Archive.Access = .create) throws -> Archive {
        let bucket = home.isS3 ? try ArchiveHome.bucket(self) : nil
        let copies = path + "/copies"
        guard home.isShared else {
            return try Archive(
                folder: archive, access, patience: 10_000, migrator: Migrator(),
                images: bucket.map { try S3Images($0, copies: copies) })
        }
        let makeStore: Archive.ImageStoreMaker = { (settings) throws(ArchiveError) in
            try S3Images(settings, copies: copies)
        }
        let place = try address.withLock { address in
            if let address { return address }
            let made = try TestDatabases.make()
            try Archive.make(at: made, bucket ?? ImageSettings(place: archive), makeStore)
            address = made
            return made
        }
        return try Archive(database: place, access, makeStore)
    }

    /// Opens the archive's database as another program would.
    func database() throws -> Connection {
        try Connection(path: archive + "/archive.sqlite", .readWrite, patience: 5_000)
    }
}

/// A page with that text, line by line; letters are 10 pixels wide, and lines 20 pixels high.
func page(_ text: String, image: String? = nil, number: Int = 1) -> NewPage {
    NewPage(
        page: Page(
            number: number, width: 600, height: 800, resolution: 100, text: pageText(text),
            provenance: Provenance(device: "test:device", label: "label")),
        image: Array((image ?? "image of \(text)").utf8), media: "image/jpeg",
        thumbnail: Array("small \(image ?? text)".utf8))
}

func pageText(_ text: String) -> PageText {
    let box = Box(x: 0, y: 0, width: 600, height: 800)
    let lines = text.split(separator: "\n").enumerated().map { row, line in
        var x = 0
        let words = line.split(separator: " ").map { word in
            defer { x += 10 * (word.count + 1) }
            return Word(
                text: String(word),
                box: Box(x: x, y: 20 * row, width: 10 * word.count, height: 15), confidence: 0.875)
        }
        return TextLine(words: words, box: Box(x: 0, y: 20 * row, width: x, height: 15))
    }
    return PageText(
        blocks: [TextBlock(paragraphs: [Paragraph(lines: lines, box: box)], box: box)],
        languages: ["eng"])
}

extension Archive {
    /// Adds a document with a page for each text.
    @discardableResult
    func add(_ title: String, _ texts: String..., created: Double = 0) throws -> DocumentID {
        let addition = try begin(DocumentInfo(title: title, created: created, language: "en"))
        for (index, text) in texts.enumerated() { try addition.add(page(text, number: index + 1)) }
        return try addition.finish()
    }

    /// The titles of a search's results, in order.
    func found(_ query: String) throws -> [String] { try search(query).hits.map(\.title) }
}

/// Runs a test program that is next to these tests.
struct ArchiveProcess {
    let process: pid_t
    private let input: Int32
    private let output: Int32

    init(_ arguments: [String], program: String = "archive-program-for-tests") throws {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
        let folder = String(decoding: buffer.prefix(count), as: UTF8.self).parent
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ArchiveError.system(errno, "make", "pipe") }
        var inward: [Int32] = [0, 0]
        guard pipe(&inward) == 0 else { throw ArchiveError.system(errno, "make", "pipe") }
        for end in ends + inward { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, inward[0], 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        let path = folder + "/" + program
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var child: pid_t = 0
        let failure = posix_spawn(&child, path, &actions, nil, &words, environ)
        close(ends[1])
        close(inward[0])
        guard failure == 0 else {
            close(ends[0])
            close(inward[1])
            throw ArchiveError.system(failure, "run", path)
        }
        process = child
        output = ends[0]
        input = inward[1]
    }

    /// Writes a line to the program's input.
    func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(input, bytes, bytes.count)
    }

    /// Waits for that many lines of output, or for the end.
    func lines(_ count: Int) -> [String] {
        var text: [UInt8] = []
        var byte: UInt8 = 0
        while text.count(where: { $0 == UInt8(ascii: "\n") }) < count, read(output, &byte, 1) == 1 {
            text.append(byte)
        }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    func kill() { Glibc.kill(process, SIGKILL) }

    /// Waits for the program's end.
    ///
    /// Returns the rest of its output and its exit status, or 128 plus the signal.
    func wait() -> (lines: [String], status: Int32) {
        let rest = lines(.max)
        close(output)
        close(input)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return (rest, status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F))
    }
}

extension ImageFolder {
    /// Puts bytes into the folder.
    func add(_ bytes: [UInt8]) throws -> ImageHash {
        let hash = ImageHash(of: bytes)
        try add(bytes, as: hash)
        return hash
    }
}

extension ImageStore {
    /// All files of the store.
    func files() throws(ArchiveError) -> [StoredImage] {
        var files: [StoredImage] = []
        try eachFile { files.append($0) }
        return files
    }
}

extension Archive {
    /// The folder of the images of an archive in a folder.
    var imageFolder: ImageFolder { ownFolder!.images }
}

/// Checks the archive as a user would.
func expectSound(_ archive: Archive, _ location: SourceLocation = #_sourceLocation) throws {
    let problems = try archive.check().problems
    #expect(problems == [], sourceLocation: location)
}
