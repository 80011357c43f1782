import CPosix
import FoundationEssentials
import Glibc
import Testing

@testable import UserFiles

/// Tests several processes that change one file, and processes that are killed during a change.
@Suite struct WriterTests {
    @Test("8 processes make 1,000 changes at the same time, and none is lost")
    func together() throws {
        let place = try Place()
        let file = place.path + "/config/file"
        let writers = try (0..<8).map { try Writer(file, "w\($0)", changes: 125) }
        var acknowledged: [String] = []
        for writer in writers { acknowledged += try writer.end(expecting: 0) }
        let lines = try place.text("config/file").split(separator: "\n").map(String.init)
        #expect(lines.count == 1000)
        #expect(Set(lines) == Set(acknowledged) && acknowledged.count == 1000)
    }

    @Test(
        "After kill -9 at any moment the file is whole, has every acknowledged change, and can be changed"
    )
    func killed() throws {
        let place = try Place()
        let file = place.path + "/config/file"
        var acknowledged: [String] = []
        for round in 0..<25 {
            let writer = try Writer(file, "w\(round)", changes: 1_000_000)
            // The process is killed after its first changes, at any step of the next change.
            try writer.wait(forLines: 1 + round % 5)
            usleep(UInt32.random(in: 0..<2000))
            kill(writer.process, SIGKILL)
            acknowledged += try writer.end(expecting: nil)
        }
        try UserFile(path: file, secret: "lines").change { $0 = ($0 ?? []) + Array("last\n".utf8) }
        let text = try place.text("config/file")
        let lines = text.split(separator: "\n").map(String.init)
        #expect(text.hasSuffix("last\n"))
        #expect(Set(acknowledged).subtracting(lines) == [])
        // There are at most as many further changes as processes, and every line is complete.
        #expect(lines.count <= acknowledged.count + 25 + 1)
        #expect(lines.dropLast().allSatisfy { $0.wholeMatch(of: /w\d+-\d+/) != nil })
        #expect(Set(lines).count == lines.count)
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path + "/config")
        #expect(names.sorted() == [".file.lock", "file"])
    }

    @Test("A reader sees all of one change or all of the next, never a part")
    func readers() throws {
        let place = try Place()
        let file = UserFile(path: place.path + "/file", secret: "lines")
        let writer = try Writer(file.path, "w", changes: 200)
        var latest = 0
        while latest < 200 {
            let text = String(decoding: try file.read() ?? [], as: UTF8.self)
            let lines = text.split(separator: "\n")
            #expect(text.isEmpty || text.hasSuffix("\n"))
            #expect(lines.count >= latest)
            latest = lines.count
            if writer.hasEnded { break }
        }
        #expect(try writer.end(expecting: 0).count == 200)
    }
}

/// A process that changes a file repeatedly.
private final class Writer {
    struct Failure: Error {
        let message: String
    }

    let process: pid_t
    private let output: Int32
    private var text: [UInt8] = []

    init(_ file: String, _ name: String, changes: Int) throws {
        var ends: [Int32] = [0, 0]
        guard cposix_pipe(&ends) == 0 else { throw Failure(message: "no pipe") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
        let own = String(decoding: buffer.prefix(count), as: UTF8.self)
        let program = parent(of: own) + "/settings-program-for-tests"
        let arguments: [String] = [program, file, name, "\(changes)"]
        var words = arguments.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var child: pid_t = 0
        let failure = posix_spawn(&child, program, &actions, nil, &words, environ)
        close(ends[1])
        guard failure == 0 else {
            throw Failure(message: "\(program): \(String(cString: strerror(failure)))")
        }
        process = child
        output = ends[0]
    }

    deinit { close(output) }

    var hasEnded: Bool {
        var about = siginfo_t()
        return waitid(P_PID, id_t(process), &about, WEXITED | WNOHANG | WNOWAIT) == 0
            && about.si_signo == SIGCHLD
    }

    /// Waits until the process has acknowledged this many changes.
    func wait(forLines count: Int) throws {
        while text.count(where: { $0 == UInt8(ascii: "\n") }) < count {
            guard readMore() else { throw Failure(message: "it ended early: \(lines)") }
        }
    }

    /// Waits for the writer's end, and returns the changes that it acknowledged.
    func end(expecting code: Int32?) throws -> [String] {
        while readMore() {}
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        if let code, status != code << 8 {
            throw Failure(message: "it ended with \(status): \(lines.last ?? "")")
        }
        return lines
    }

    private var lines: [String] {
        String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func readMore() -> Bool {
        var part = [UInt8](repeating: 0, count: 65_536)
        let count = retryingInterrupts { read(output, &part, part.count) }
        text += part.prefix(max(0, count))
        return count > 0
    }
}
