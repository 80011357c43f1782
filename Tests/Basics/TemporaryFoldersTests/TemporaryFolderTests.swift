import FoundationEssentials
import Glibc
import Testing

@testable import TemporaryFolders

/// Tests that temporary folders last as long as their process, and no longer.
@Suite struct TemporaryFolderTests {
    /// A folder of this test's own, in which temporary folders are made.
    private final class Place {
        let path = "/tmp/temporary-folders-\(UInt64.random(in: 0 ... .max))"
        init() { mkdir(path, 0o700) }
        deinit { try? FileManager.default.removeItem(atPath: path) }
        var names: [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
        }

        /// A folder as a killed process leaves it: with a marker that no one has locked.
        func orphan(_ name: String = "copystand-temporary-pages-abcdef", marker: String = usual)
            throws
            -> String
        {
            let folder = path + "/" + name
            try #require(mkdir(folder, 0o700) == 0)
            try write(marker, to: folder + "/.owner")
            try write("page", to: folder + "/page-1.raw")
            try #require(mkdir(folder + "/inner", 0o700) == 0)
            try write("page", to: folder + "/inner/page-2.raw")
            return folder
        }

        func write(_ text: String, to path: String) throws {
            try Data(text.utf8).write(to: URL(filePath: path))
        }

        static let usual = TemporaryFolder.markerHead + "pid 1, x\n"
    }

    private let place = Place()

    private func remains(_ path: String) -> Bool {
        var about = stat()
        return lstat(path, &about) == 0
    }

    @Test("A folder is closed to others, names its process, and is deleted with its value")
    func owned() throws {
        var folder: TemporaryFolder? = try TemporaryFolder("pages", in: place.path)
        let path = try #require(folder?.path)
        var about = stat()
        #expect(stat(path, &about) == 0 && about.st_mode & 0o777 == 0o700)
        #expect(path.hasPrefix(place.path + "/copystand-temporary-pages-"))
        let marker = try String(contentsOfFile: path + "/.owner", encoding: .utf8)
        #expect(marker.contains("pid \(getpid()),"))
        try place.write("page", to: path + "/page.raw")
        TemporaryFolder.removeOrphans(in: [place.path])
        #expect(remains(path + "/page.raw"))
        folder = nil
        #expect(place.names == [])
    }

    @Test("A folder can be deleted early, and a later one of the same name stays")
    func removed() throws {
        let folder = try TemporaryFolder("pages", in: place.path)
        folder.remove()
        #expect(place.names == [])
        let other = try place.orphan(folder.path.lastPart)
        folder.remove()
        #expect(remains(other))
    }

    @Test("The folder of a killed process is deleted with everything in it")
    func orphans() throws {
        let owner = try forkedOwner(in: place.path)
        let program = try #require(owner)
        #expect(place.names.count == 1)
        TemporaryFolder.removeOrphans(in: [place.path])
        #expect(place.names.count == 1)
        kill(program, SIGKILL)
        var status: Int32 = 0
        waitpid(program, &status, 0)
        TemporaryFolder.removeOrphans(in: [place.path])
        #expect(place.names == [])
    }

    /// A process that holds a folder as its owner does; its id.
    private func forkedOwner(in parent: String) throws -> pid_t? {
        let folder = try place.orphan()
        // The lock of flock(1) is the same as that of the owner.
        let words = ["flock", "--no-fork", folder + "/.owner", "sleep", "600"]
        var arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var program: pid_t = 0
        guard posix_spawn(&program, "/usr/bin/flock", nil, nil, &arguments, environ) == 0 else {
            return nil
        }
        let marker = open(folder + "/.owner", O_RDWR | O_CLOEXEC)
        defer { close(marker) }
        while flock(marker, LOCK_EX | LOCK_NB) == 0 {
            flock(marker, LOCK_UN)
            sched_yield()
        }
        return program
    }

    @Test("An empty folder, whose process was killed before it had a marker, is deleted")
    func unmarked() throws {
        mkdir(place.path + "/copystand-temporary-pages-abcdef", 0o700)
        let full = place.path + "/copystand-temporary-pages-ghijkl"
        mkdir(full, 0o700)
        try place.write("a user's own", to: full + "/letter")
        TemporaryFolder.removeOrphans(in: [place.path])
        #expect(place.names == ["copystand-temporary-pages-ghijkl"])
    }

    @Test("Folders that another program made, or that others may enter, stay")
    func foreign() throws {
        let other = try place.orphan("copystand-temporary-a", marker: "mine")
        let open = try place.orphan("copystand-temporary-b")
        chmod(open, 0o755)
        let unnamed = try place.orphan("pages-c")
        TemporaryFolder.removeOrphans(in: [place.path])
        for folder in [other, open, unnamed] { #expect(remains(folder + "/page-1.raw")) }
    }

    @Test("No link is followed: neither one in place of a folder or a marker, nor one in a folder")
    func links() throws {
        let outside = Place()
        let target = try outside.orphan("copystand-target")
        symlink(target, place.path + "/copystand-temporary-pages-linked")
        let marker = try place.orphan("copystand-temporary-pages-marker")
        unlink(marker + "/.owner")
        symlink(target + "/.owner", marker + "/.owner")
        let inner = try place.orphan("copystand-temporary-pages-inner")
        symlink(target, inner + "/folder")
        symlink(target + "/page-1.raw", inner + "/file")
        mkfifo(inner + "/pipe", 0o600)
        TemporaryFolder.removeOrphans(in: [place.path])
        #expect(
            place.names == ["copystand-temporary-pages-linked", "copystand-temporary-pages-marker"])
        #expect(remains(target + "/page-1.raw") && remains(target + "/inner/page-2.raw"))
    }

    @Test("Many processes that make folders and delete orphans at once keep what is theirs")
    func atOnce() async throws {
        let path = place.path
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        let folder = try TemporaryFolder("pages", in: path)
                        TemporaryFolder.removeOrphans(in: [path])
                        guard access(folder.path + "/.owner", F_OK) == 0 else { return false }
                    }
                    return true
                }
            }
            for try await isKept in group { #expect(isKept) }
        }
        #expect(place.names == [])
    }

    @Test("The error says which folder is at fault, and how to choose another")
    func refused() {
        let missing = place.path + "/missing"
        #expect {
            _ = try TemporaryFolder("pages", in: missing)
        } throws: { error in
            let message = (error as? TemporaryFolderError)?.message ?? ""
            return message.contains(missing) && message.contains("TMPDIR")
        }
    }
}
