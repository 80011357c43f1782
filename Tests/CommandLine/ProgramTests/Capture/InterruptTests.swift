import FoundationEssentials
import Glibc
import Testing

/// Tests Ctrl-C while a backend starts and then never answers.
@Suite struct ProgramInterruptTests {
    let home: TemporaryFolder
    init() throws { home = try TemporaryFolder() }

    /// Starts `devices`, and returns once the backend runs.
    private func start() throws -> BuiltProgram.Running {
        let fifo = home.path + "/up"
        guard mkfifo(fifo, 0o600) == 0 else { throw BuiltProgram.Failure(message: "no fifo") }
        // The backend opens the pipe to report that it runs.
        try home.write("b/silent", "#!/bin/sh\n: >'\(fifo)'\nexec sleep 600\n", mode: 0o755)
        try home.write(
            "b/silent.json", #"{"id":"silent","name":"Silent","protocol":1,"program":"silent"}"#)
        let running = try BuiltProgram.spawn(
            BuiltProgram.path, ["devices", "-b", "silent"], in: home,
            environment: ["COPYSTAND_BACKENDS": home.path + "/b"])
        let end = open(fifo, O_RDONLY | O_CLOEXEC)
        guard end >= 0 else { throw BuiltProgram.Failure(message: "fifo") }
        close(end)
        return running
    }

    @Test("One signal stops the command with 130", arguments: [SIGINT, SIGTERM])
    func once(signal: Int32) throws {
        let running = try start()
        kill(running.process, signal)
        let outcome = try running.wait()
        #expect(outcome.status == 130)
        #expect(outcome.errors == "copystand: canceled\n")
        #expect(outcome.output == "")
    }

    @Test("After SIGTERM, a command that waits for a lock without end stops within ten seconds")
    func stuck() throws {
        let archive = home.path + "/archive"
        let picture = TutorialPage.root + "/Samples/06-receipt.jpg"
        let words = ["import", picture, "--profile", "none"]
        let places = ["COPYSTAND_ARCHIVE": archive, "COPYSTAND_SPOOL": home.path + "/spool"]
        let first = try BuiltProgram.run(words, in: home, environment: places)
        try #require(first.status == 0, "\(first.errors)")
        // This lock keeps others from adding pictures.
        let lock = open(archive + "/images.lock", O_RDWR | O_CLOEXEC)
        try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
        defer { close(lock) }
        let running = try BuiltProgram.spawn(
            BuiltProgram.path, words, in: home, environment: places)
        waitUntilOpen(archive + "/images.lock", in: running.process)
        let clock = ContinuousClock()
        let before = clock.now
        kill(running.process, SIGTERM)
        let outcome = try running.wait()
        #expect(outcome.status == 130, "\(outcome.errors)")
        #expect(clock.now - before < .seconds(10))
        #expect(try jobs().output.contains("interrupted"))
    }

    /// Returns once a process has a file open.
    private func waitUntilOpen(_ path: String, in process: pid_t) {
        let folder = "/proc/\(process)/fd"
        while kill(process, 0) == 0 {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let isOpen = files.contains {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0))
                    == path
            }
            if isOpen { return }
            usleep(10_000)
        }
    }

    /// Starts imports of a picture repeatedly, and returns once a page is finished.
    private func startImport(_ output: String, pictures: Int) throws -> BuiltProgram.Running {
        let picture = TutorialPage.root + "/Samples/06-receipt.jpg"
        let made = try BuiltProgram.shell(
            "mkdir '\(home.path)/many' && for n in $(seq 100 \(99 + pictures)); do cp '\(picture)' '\(home.path)/many/'$n.jpg; done",
            in: home)
        #expect(made.status == 0, "\(made.errors)")
        let running = try BuiltProgram.spawn(
            BuiltProgram.path,
            ["import", home.path + "/many", "--profile", "none", "-o", home.path + "/" + output],
            in: home, environment: ["COPYSTAND_SPOOL": home.path + "/spool"])
        for _ in 0..<6000 {
            let errors =
                (try? String(contentsOfFile: running.folder + "/errors", encoding: .utf8)) ?? ""
            if errors.contains("Page 2:") { break }
            usleep(10_000)
        }
        return running
    }

    private func jobs(_ words: String...) throws -> BuiltProgram.Outcome {
        try BuiltProgram.run(
            ["jobs"] + words, in: home, environment: ["COPYSTAND_SPOOL": home.path + "/spool"])
    }

    private func pages(_ output: String) throws -> Int {
        let told = try BuiltProgram.shell(
            "tiffinfo '\(home.path)/\(output)' | grep -c 'Image Width'", in: home)
        return Int(told.output.filter(\.isNumber)) ?? 0
    }

    @Test("If some files were not read, all are read again, and the output is replaced")
    func importing() throws {
        let running = try startImport("out.tiff", pictures: 400)
        kill(running.process, SIGINT)
        let outcome = try running.wait()
        #expect(outcome.status == 130, "\(outcome.errors)")
        let first = try pages("out.tiff")
        #expect(first > 0 && first < 400)
        #expect(outcome.errors.contains("Not all files were read."))
        let listed = try jobs()
        #expect(listed.output.contains("not all files were read"))
        let id = String(listed.output.split(separator: "\n").last?.prefix { $0 != " " } ?? "")
        #expect(outcome.errors.contains("copystand jobs resume \(id)"))
        let append = try BuiltProgram.run(
            ["scan", "--append"], in: home, environment: ["COPYSTAND_SPOOL": home.path + "/spool"])
        #expect(append.errors.contains("copystand jobs resume \(id)"))
        let resumed = try jobs("resume", id)
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect(try pages("out.tiff") == 400)
        #expect(try jobs().output == "")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: home.path).filter {
                $0.hasPrefix("out")
            }.count == 1)
    }

    @Test("A second signal leaves no hidden file next to the output, and says how to continue")
    func twice() throws {
        let running = try startImport("out.tiff", pictures: 400)
        kill(running.process, SIGINT)
        kill(running.process, SIGTERM)
        let outcome = try running.wait()
        #expect(outcome.status == 130)
        #expect(outcome.errors.contains("copystand jobs"), "\(outcome.errors)")
        let left = try FileManager.default.contentsOfDirectory(atPath: home.path)
        #expect(left.filter { $0.contains("partial") } == [])
    }
}
