import FoundationEssentials
import Glibc
import PostgreSQL
import Testing
import WorkQueue

@testable import Archive

/// Tests workers as processes, which are killed and stopped.
@Suite struct WorkerProcessTests {
    private let text: String
    private let queue: WorkQueue

    init() throws {
        text = try TestDatabases.make()
        queue = try WorkQueue(PostgreSQLAddress(text))
        try queue.add([
            NewJob(kind: "read", key: "a", station: "hall", attempts: 2, patience: 0.2)
        ])
    }

    private func worker(_ name: String) throws -> ArchiveProcess {
        let worker = try ArchiveProcess([text, name], program: "queue-program-for-tests")
        #expect(worker.lines(1).first?.hasPrefix("claimed a") == true)
        return worker
    }

    /// Maintains the queue until the silent worker's job is free or given up.
    private func awaitSilence() throws -> QueueMaintenance {
        for _ in 0..<1_000 {
            if let done = try queue.maintain(), done.freed + done.givenUp > 0 { return done }
            usleep(20_000)
        }
        throw ArchiveError(.busy, "The silent worker was not noticed.")
    }

    @Test("A killed worker's job goes to another, and a job that kills each worker is given up")
    func killed() throws {
        let first = try worker("first")
        first.kill()
        _ = first.wait()
        #expect(try awaitSilence().freed == 1)
        let second = try worker("second")
        second.kill()
        _ = second.wait()
        #expect(try awaitSilence().givenUp == 1)
        #expect(try queue.deadJobs().map(\.attempts) == [2])
    }

    @Test("A worker that was stopped and continues changes no result of another worker")
    func stalled() throws {
        let stalled = try worker("stalled")
        kill(stalled.process, SIGSTOP)
        #expect(try awaitSilence().freed == 1)
        let job = try #require(try queue.claim(1, of: "read", for: "other").first)
        #expect(try queue.complete(job))
        kill(stalled.process, SIGCONT)
        stalled.say("go on")
        let (lines, status) = stalled.wait()
        #expect(lines == ["beat false", "complete false"] && status == 0)
        #expect(try queue.status() == QueueStatus())
    }
}
