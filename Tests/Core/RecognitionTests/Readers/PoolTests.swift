import Dispatch
import Documents
import FoundationEssentials
import Glibc
import Imaging
import Readers
import Recognition
import Testing

/// True if a process of that number exists, even as a zombie.
func isRunning(_ process: String) -> Bool { access("/proc/\(process)", F_OK) == 0 }

@Suite struct PoolTests {
    private static let page = PrintedPage(width: 900, height: 240)
        .print(["Many pages in turn"], x: 100, y: 100).raster()

    @Test(
        "Many pages at once share the helpers, which stay between pages and end with the shutdown"
    )
    func sharesHelpers() async throws {
        let folder = ScratchFolder()
        let pool = RecognizerPool(
            workers: 2, command: .script("echo $$ >> \(folder.path)/started; exec \"$HELPER\""))
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await pool.recognize(Self.page, languages: ["eng"]).words.map(\.text)
                }
            }
            for try await words in group { #expect(words == ["Many", "pages", "in", "turn"]) }
        }
        let helpers = folder.lines(of: "started")
        #expect((1...2).contains(helpers.count))
        for helper in helpers { #expect(isRunning(helper)) }
        await pool.shutdown()
        for helper in helpers { #expect(!isRunning(helper)) }
        // A pool can be used again after a shutdown.
        _ = try await pool.recognize(Self.page, languages: ["eng"])
        await pool.shutdown()
    }

    @Test("Helpers end with their pool")
    func endsWithPool() async throws {
        let folder = ScratchFolder()
        do {
            let pool = RecognizerPool(
                workers: 1, command: .script("echo $$ >> \(folder.path)/started; exec \"$HELPER\""))
            _ = try await pool.recognize(Self.page, languages: ["eng"])
            await pool.shutdown()
        }
        for helper in folder.lines(of: "started") { #expect(!isRunning(helper)) }
    }

    @Test("Prewarming starts every helper once")
    func prewarms() async throws {
        let folder = ScratchFolder()
        let pool = RecognizerPool(
            workers: 3, command: .script("echo $$ >> \(folder.path)/started; exec \"$HELPER\""))
        pool.prewarm()
        pool.prewarm(languages: ["xyz"])
        _ = try await pool.recognize(Self.page, languages: ["eng"])
        await pool.shutdown()
        #expect(folder.lines(of: "started").count == 3)
    }

    @Test("Canceling a page ends its helper, and another helper reads the next page")
    func cancels() async throws {
        let folder = ScratchFolder()
        #expect(mkfifo("\(folder.path)/signal", 0o600) == 0)
        let pool = RecognizerPool(
            workers: 1,
            command: .script(
                """
                echo $$ >> \(folder.path)/started
                if [ "$(wc -l < \(folder.path)/started)" -gt 1 ]; then exec "$HELPER"; fi
                echo started > \(folder.path)/signal
                exec sleep 1000
                """))
        let reading = Task { try await pool.recognize(Self.page, languages: ["eng"]) }
        let waiting = Task { try await pool.recognize(Self.page, languages: ["eng"]) }
        await firstByte(of: "\(folder.path)/signal")
        reading.cancel()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let text = try await pool.recognize(Self.page, languages: ["eng"])
        #expect(text.words.count == 4)
        await pool.shutdown()
        for helper in folder.lines(of: "started") { #expect(!isRunning(helper)) }
    }

    @Test("A task that is canceled before its page is read starts no helper")
    func cancelledBefore() async throws {
        let pool = RecognizerPool(workers: 1, command: .script("exit 1"))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await pool.recognize(Self.page, languages: ["eng"])
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("After a shutdown no descriptor and no process remains")
    func leaksNothing() async {
        await #expect(processExitsWith: .success) {
            let page = PrintedPage(width: 600, height: 200)
                .print(["Nothing is left"], x: 50, y: 90).raster()
            func openDescriptors() -> Set<String> {
                let all =
                    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
                return Set(all.filter { fcntl(Int32($0) ?? -1, F_GETFD) >= 0 })
            }
            // The first reading opens all files that the runtime keeps open.
            let first = RecognizerPool(workers: 1, command: .real)
            _ = try? await first.recognize(page, languages: ["eng"])
            await first.shutdown()
            try? await Task.sleep(for: .seconds(1))
            let before = openDescriptors()
            for script in [#"exec "$HELPER""#, "kill -SEGV $$", "exec 3>&-; exec sleep 1000"] {
                let pool = RecognizerPool(workers: 2, command: .script(script))
                pool.prewarm()
                _ = try? await pool.recognize(page, languages: ["eng"])
                await pool.shutdown()
            }
            // The thread that drains a helper's output closes the output a moment later.
            for _ in 0..<100 where openDescriptors() != before {
                try? await Task.sleep(for: .milliseconds(50))
            }
            #expect(openDescriptors().subtracting(before) == [])
            // No child process remains, neither running nor ended.
            #expect(waitpid(-1, nil, WNOHANG) == -1)
        }
    }

    @Test("A helper ends with its host, even if the host is killed")
    func helperEndsWithHost() async throws {
        let folder = ScratchFolder()
        #expect(mkfifo("\(folder.path)/alive", 0o600) == 0)
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            // The helper keeps the pipe open as long as it runs.
            let pool = RecognizerPool(
                workers: 1,
                command: .script("exec 5> \(path)/alive; echo up >&5; exec \"$HELPER\""))
            DispatchQueue(label: "reader").async {
                var byte: UInt8 = 0
                let pipe = open("\(path)/alive", O_RDONLY)
                _ = read(pipe, &byte, 1)
            }
            let page = PrintedPage(width: 600, height: 200)
                .print(["Nothing is left"], x: 50, y: 90).raster()
            _ = try await pool.recognize(page, languages: ["eng"])
            let file = open("\(path)/read", O_CREAT | O_WRONLY, 0o600)
            close(file)
            kill(getpid(), SIGKILL)
        }
        #expect(access("\(path)/read", F_OK) == 0)
        await endOfFile(of: "\(path)/alive")
    }
}

/// Waits for a byte in a named pipe, on a separate thread.
private func firstByte(of pipe: String) async {
    await withCheckedContinuation { done in
        DispatchQueue(label: "pipe").async {
            var byte: UInt8 = 0
            let descriptor = open(pipe, O_RDONLY | O_CLOEXEC)
            _ = read(descriptor, &byte, 1)
            close(descriptor)
            done.resume()
        }
    }
}

/// Waits on a separate thread until no process has a named pipe open for writing.
private func endOfFile(of pipe: String) async {
    await withCheckedContinuation { done in
        DispatchQueue(label: "pipe").async {
            var byte: UInt8 = 0
            let descriptor = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, 0)
            while read(descriptor, &byte, 1) > 0 {}
            close(descriptor)
            done.resume()
        }
    }
}
