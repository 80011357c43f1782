import BlockingWork
import Documents
import FileNames
import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import Archive

/// Tests an archive's folder from someone else, with links, pipes and folders where files are
/// expected, as in a restored backup.
@Suite struct HostileFolderTests {
    /// What someone may put in place of a file.
    enum Trap: CaseIterable {
        case link, danglingLink, pipe, folder

        var words: String {
            switch self {
            case .link, .danglingLink: "a link"
            case .pipe: "a pipe"
            case .folder: "a folder"
            }
        }
    }

    private let folder: TestFolder
    private let outside: String

    init() throws {
        folder = try TestFolder()
        outside = folder.path + "/outside"
        try #require(mkdir(outside, 0o700) == 0)
        try Data("secret".utf8).write(to: URL(filePath: outside + "/file"))
        try folder.open().add("Letter", "one", "two")
    }

    private var isOutsideUntouched: Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: outside)) == ["file"]
            && (try? String(contentsOfFile: outside + "/file", encoding: .utf8)) == "secret"
    }

    private func set(_ trap: Trap, at path: String) throws {
        try? FileManager.default.removeItem(atPath: path)
        switch trap {
        case .link: try #require(symlink(outside + "/file", path) == 0)
        case .danglingLink: try #require(symlink(outside + "/new", path) == 0)
        case .pipe: try #require(mkfifo(path, 0o600) == 0)
        case .folder: try #require(mkdir(path, 0o700) == 0)
        }
    }

    @Test(
        "Something else in place of one of the database's files is named, and the archive not opened",
        arguments: [
            "archive.sqlite", "archive.sqlite-wal", "archive.sqlite-shm", "archive.sqlite-journal",
        ],
        Trap.allCases)
    func database(name: String, trap: Trap) throws {
        let path = folder.archive + "/" + name
        try set(trap, at: path)
        for access in [Archive.Access.readOnly, .readWrite, .create] {
            #expect { _ = try folder.open(access) } throws: {
                // A link that leads nowhere has no archive behind it.
                let error = $0 as? ArchiveError
                return error?.message.contains("'\(path)' is \(trap.words), not a file") == true
                    || (trap == .danglingLink && error?.code == .missing)
            }
        }
        let other = try Archive(folder: folder.path + "/other", .create)
        #expect(throws: ArchiveError.self) { try other.recover(from: folder.archive) }
        #expect(isOutsideUntouched)
    }

    /// Leaves a journal beside the database that names another file as its super-journal.
    private func leaveJournal(naming target: String) throws {
        func words(_ numbers: UInt32...) -> [UInt8] {
            numbers.flatMap { number in
                (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
            }
        }
        let size = try Data(contentsOf: URL(filePath: folder.archive + "/archive.sqlite")).count
        let mark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        let name = Array(target.utf8)
        var journal = mark + words(0, 0, UInt32(size / 4_096), 512, 4_096)
        journal += [UInt8](repeating: 0, count: 512 - journal.count)
        journal += words(0x4000_0000 / 4_096 + 1) + name
        journal += words(UInt32(name.count), name.reduce(0) { $0 + UInt32($1) }) + mark
        try Data(journal).write(to: URL(filePath: folder.archive + "/archive.sqlite-journal"))
    }

    @Test("A journal that names another file is named, and that file stays")
    func journal() throws {
        try leaveJournal(naming: outside + "/file")
        let words = "'\(folder.archive)/archive.sqlite-journal' names another file"
        for access in [Archive.Access.readOnly, .readWrite, .create] {
            #expect { _ = try folder.open(access) } throws: {
                ($0 as? ArchiveError)?.message.contains(words) == true
            }
        }
        let other = try Archive(folder: folder.path + "/other", .create)
        #expect { try other.recover(from: folder.archive) } throws: {
            ($0 as? ArchiveError)?.message.contains(words) == true
        }
        #expect(isOutsideUntouched)
    }

    @Test(
        "SQLite itself does not delete what a journal names, and does not wait for a pipe there",
        arguments: [false, true])
    func superJournal(isPipe: Bool) throws {
        let target = isPipe ? folder.path + "/pipe" : outside + "/file"
        if isPipe { try set(.pipe, at: target) }
        try leaveJournal(naming: target)
        #expect(throws: DatabaseError.self) {
            let connection = try Connection(
                path: folder.archive + "/archive.sqlite", .readWrite, patience: 0)
            _ = try connection.first("SELECT count(*) FROM document") { try $0.int(0) }
        }
        #expect(access(target, F_OK) == 0 && isOutsideUntouched)
    }

    @Test(
        "Something else in place of the lock is named, and nothing is added",
        arguments: Trap.allCases)
    func lock(trap: Trap) throws {
        let path = folder.archive + "/images.lock"
        try set(trap, at: path)
        let archive = try folder.open(.readWrite)
        for change in [{ _ = try archive.add("Other", "three") }, { _ = try archive.compact() }] {
            #expect { try change() } throws: {
                ($0 as? ArchiveError)?.message.contains("'\(path)' is \(trap.words), not a file")
                    == true
            }
        }
        #expect(try archive.documents().count == 1)
        #expect(isOutsideUntouched)
    }

    @Test(
        "Something else in place of a picture is named, and others can be read",
        arguments: Trap.allCases)
    func picture(trap: Trap) throws {
        let archive = try folder.open(.readWrite)
        let pages = try archive.document(DocumentID(rawValue: 1)).pages
        let path = archive.imageFolder.path(of: pages[0].image)
        try set(trap, at: path)
        let words = "'\(path)' is \(trap.words), not a file"
        #expect { _ = try archive.image(pages[0].image) } throws: {
            ($0 as? ArchiveError)?.message.contains(words) == true
        }
        #expect(try archive.image(pages[1].image) == Array("image of two".utf8))
        #expect(try archive.check().problems.contains { $0.contains(words) })
        let backup = try archive.backup(to: folder.path + "/backup")
        #expect(backup.problems.contains { $0.contains(words) })
        #expect(throws: ArchiveError.self) {
            try archive.copy(into: Archive(folder: folder.path + "/copy", .create))
        }
        let recovered = try Archive(folder: folder.path + "/recovered", .create)
            .recover(from: folder.archive)
        #expect(recovered.documents.first?.losses.contains { $0.contains(words) } == true)
        #expect(isOutsideUntouched)
    }

    @Test("A link in place of the pictures' folder, or of one in it, is not followed")
    func pictureFolder() throws {
        let archive = try folder.open(.readWrite)
        let image = try archive.document(DocumentID(rawValue: 1)).pages[0].image
        let images = folder.archive + "/images"
        for place in [images + "/" + image.hexadecimal.prefix(2), images] {
            try #require(rename(place, place + ".away") == 0)
            try #require(symlink(outside, place) == 0)
            #expect(throws: ArchiveError.self) { _ = try archive.image(image) }
            let addition = #expect(throws: ArchiveError.self) {
                // The picture's name begins with the same letters.
                try archive.add("Other", "one")
            }
            #expect(addition?.message.contains("'\(place)' is a link, not a folder") == true)
        }
        #expect(isOutsideUntouched)
    }

    @Test("Nothing is removed behind a link in place of the pictures' folder")
    func leftovers() throws {
        let images = folder.archive + "/images"
        let own = ProcessMark.own.text.split(separator: "-")
        let name = ".x.k3x0qa.\(own[0])-\(own[1])-1.partial"
        try Data().write(to: URL(filePath: images + "/" + name))
        _ = try folder.open(.readWrite)
        #expect(access(images + "/" + name, F_OK) != 0)
        try Data().write(to: URL(filePath: outside + "/" + name))
        try #require(rename(images, images + ".away") == 0 && symlink(outside, images) == 0)
        _ = try folder.open(.readWrite)
        #expect(access(outside + "/" + name, F_OK) == 0)
    }

    @Test("A backup does not write through a link that someone puts in its place")
    func exchangedBackup() async throws {
        let archive = try folder.open(.readWrite)
        let place = folder.path + "/shared"
        try #require(mkdir(place, 0o700) == 0)
        // Someone puts a link in the place of every folder that appears.
        let (outside, aside) = (outside, folder.path + "/away")
        let ending = Ending()
        // A task would wait until the cooperative pool has a thread for it.
        let other = OwnQueue(label: "exchanges")
        other.begin {
            var count = 0
            while !ending.isReached.withLock({ $0 }) {
                for name in FileNames.names(in: place) ?? [] where name.hasSuffix(".partial") {
                    guard rename(place + "/" + name, aside + "\(count)") == 0 else { continue }
                    symlink(outside, place + "/" + name)
                    count += 1
                }
            }
        }
        // A backup that is finished before the other thread sees its folder shows nothing.
        var refused = 0
        for number in 0..<200 where refused < 3 {
            do { _ = try archive.backup(to: place + "/backup\(number)") } catch { refused += 1 }
            #expect(isOutsideUntouched)
        }
        ending.isReached.withLock { $0 = true }
        await other.run {}
        #expect(refused > 0)
    }

    @Test(
        "No archive is made in a folder of another user, and one that is there is noticed",
        .enabled(if: geteuid() == 0, "needs root"))
    func stranger() throws {
        let place = folder.path + "/theirs"
        try #require(mkdir(place, 0o777) == 0 && chown(place, 12_345, 12_345) == 0)
        #expect { _ = try Archive(folder: place, .create) } throws: {
            ($0 as? ArchiveError)?.message.contains("'\(place)' belongs to the user number 12345")
                == true
        }
        #expect(Archive.ownerNotice(of: folder.archive) == nil)
        try #require(chown(folder.archive, 12_345, 12_345) == 0)
        #expect(Archive.ownerNotice(of: folder.archive)?.contains("chown") == true)
        #expect(throws: Never.self) { _ = try folder.open(.readWrite) }
    }
}

/// Tells a task when to end.
private final class Ending: Sendable {
    let isReached = Mutex(false)
}
