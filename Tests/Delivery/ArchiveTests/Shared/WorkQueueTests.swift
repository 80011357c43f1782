import Glibc
import PostgreSQL
import Testing
import WorkQueue

@Suite struct WorkQueueTests {
    private let address: PostgreSQLAddress
    private let queue: WorkQueue

    init() throws {
        address = try PostgreSQLAddress(TestDatabases.make())
        queue = try WorkQueue(address, backoff: .init(first: 0, most: 0))
    }

    private func job(
        _ key: String, station: String = "hall", urgency: NewJob.Urgency = .bulk, attempts: Int = 5
    ) -> NewJob {
        NewJob(
            kind: "read", key: key, station: station, urgency: urgency, payload: "pages of \(key)",
            attempts: attempts)
    }

    /// Advances the time for running jobs.
    private func pass(seconds: Int) throws {
        try queue.database.script("UPDATE job SET beat = beat - interval '\(seconds) seconds'")
    }

    @Test("One worker claims a job, with the necessary data, and the job is done once")
    func once() throws {
        #expect(try queue.add([job("a")]) == 1)
        let other = try WorkQueue(address)
        let claimed = try #require(try queue.claim(5, of: "read", for: "w1").first)
        #expect(claimed.key == "a" && claimed.payload == "pages of a" && claimed.attempt == 1)
        #expect(try other.claim(5, of: "read", for: "w2").isEmpty)
        #expect(try queue.beat(claimed, progress: 3))
        #expect(try queue.complete(claimed))
        #expect(try !queue.complete(claimed))
        #expect(try other.claim(5, of: "read", for: "w2").isEmpty)
        #expect(try queue.status() == QueueStatus())
    }

    @Test("A job of another kind is left to others, and no more jobs are claimed than requested")
    func counts() throws {
        try queue.add((0..<20).map { job("\($0)", station: "s\($0 % 3)") })
        #expect(try queue.claim(5, of: "write", for: "w").isEmpty)
        #expect(try queue.claim(7, of: "read", for: "w").count == 7)
        #expect(try queue.status().running == 7)
    }

    @Test("Of each kind and key, one job is active; a finished one may be ordered again")
    func unique() throws {
        #expect(try queue.add([job("a"), job("a")]) == 1)
        let claimed = try #require(try queue.claim(1, of: "read", for: "w").first)
        #expect(try queue.add([job("a")]) == 0)
        #expect(try queue.complete(claimed))
        #expect(try queue.add([job("a")]) == 1)
    }

    @Test("Urgent jobs come first, then stations take turns, then the oldest job is first")
    func order() throws {
        try queue.add((0..<6).map { job("a\($0)", station: "a") })
        try queue.add([job("b0", station: "b"), job("b1", station: "b")])
        try queue.add([job("now", station: "a", urgency: .interactive)])
        #expect(try queue.jobsBefore(key: "now", of: "read") == 0)
        #expect(try queue.jobsBefore(key: "a1", of: "read") == 2)
        #expect(try queue.claim(1, of: "read", for: "w").map(\.key) == ["now"])
        // Station a has a running job, so b is next, and then they take turns.
        #expect(try queue.claim(1, of: "read", for: "w").map(\.key) == ["b0"])
        let next = try Set(
            (0..<2).flatMap { _ in try queue.claim(1, of: "read", for: "w").map(\.key) })
        #expect(next == ["a0", "b1"])
        #expect(try queue.claim(1, of: "read", for: "w").map(\.key) == ["a1"])
        #expect(try queue.jobsBefore(key: "a1", of: "read") == nil)
    }

    @Test("A worker that was stopped and continues can't overwrite another worker's results")
    func fencing() throws {
        try queue.add([job("a")])
        let old = try #require(try queue.claim(1, of: "read", for: "stalled").first)
        #expect(try queue.maintain()?.freed == 0)
        try pass(seconds: 61)
        #expect(try queue.maintain()?.freed == 1)
        // The old claim is refused before and after another worker gets the job.
        #expect(try !queue.beat(old, progress: 1))
        let new = try #require(try queue.claim(1, of: "read", for: "other").first)
        #expect(new.id == old.id && new.attempt == 2)
        #expect(try !queue.beat(old, progress: 9) && !queue.complete(old))
        #expect(try !queue.fail(old, reason: "late"))
        #expect(try queue.beat(new, progress: 1) && queue.complete(new))
    }

    @Test("The same worker's earlier attempt is refused, too")
    func ownAttempts() throws {
        try queue.add([job("a")])
        let first = try #require(try queue.claim(1, of: "read", for: "w").first)
        #expect(try queue.fail(first, reason: "no"))
        let second = try #require(try queue.claim(1, of: "read", for: "w").first)
        #expect(try !queue.complete(first))
        #expect(try queue.complete(second))
    }

    @Test("A result is not stored if the worker no longer has the job")
    func results() throws {
        try queue.database.script("CREATE TABLE result (value TEXT)")
        try queue.add([job("a")])
        let old = try #require(try queue.claim(1, of: "read", for: "stalled").first)
        try pass(seconds: 61)
        _ = try queue.maintain()
        struct Lost: Error {}
        for claim in [old] + (try queue.claim(1, of: "read", for: "other")) {
            do {
                try queue.transaction {
                    try queue.database.each(
                        "INSERT INTO result VALUES ($1)", [.text(claim.worker)])
                    guard try queue.complete(claim) else { throw Lost() }
                }
            } catch is Lost {}
        }
        var results: [String] = []
        try queue.database.each("SELECT value FROM result") { results.append(try $0.text(0)) }
        #expect(results == ["other"])
    }

    @Test("A job that always fails or kills its worker is given up, listed, and retried by hand")
    func dead() throws {
        try queue.add([job("a", attempts: 2)])
        let first = try #require(try queue.claim(1, of: "read", for: "w").first)
        #expect(try queue.fail(first, reason: "The page is upside down."))
        _ = try #require(try queue.claim(1, of: "read", for: "w").first)
        // Its worker is killed.
        try pass(seconds: 61)
        #expect(try queue.maintain()?.givenUp == 1)
        #expect(try queue.claim(1, of: "read", for: "w").isEmpty)
        let dead = try #require(try queue.deadJobs().first)
        #expect(dead.key == "a" && dead.attempts == 2 && dead.reason.contains("silent"))
        #expect(try queue.status().dead == 1)
        // The same work was ordered again meanwhile.
        try queue.add([job("a")])
        #expect(try !queue.retry(dead.id))
        let again = try #require(try queue.claim(1, of: "read", for: "w").first)
        #expect(try queue.complete(again))
        #expect(try queue.retry(dead.id))
        #expect(try queue.claim(1, of: "read", for: "w").first?.attempt == 1)
    }

    @Test("The waiting time grows with each failure, up to a limit, and varies")
    func backoff() throws {
        let slow = try WorkQueue(address, backoff: .init(first: 10, most: 60))
        try slow.add((0..<10).map { job("\($0)", attempts: 20) })
        var waits: [[Double]] = []
        for _ in 0..<6 {
            for claimed in try slow.claim(10, of: "read", for: "w") {
                #expect(try slow.fail(claimed, reason: "no"))
            }
            var round: [Double] = []
            try slow.database.each(
                "SELECT extract(epoch FROM due - now())::float8 FROM job WHERE state = 0"
            ) { round.append(try $0.real(0)) }
            waits.append(round)
            #expect(try slow.claim(10, of: "read", for: "w").isEmpty)
            try slow.database.script("UPDATE job SET due = now()")
        }
        for (index, round) in waits.enumerated() {
            let most = min(60.0, 10 * Double(1 << index))
            #expect(round.count == 10 && round.allSatisfy { $0 > most * 0.45 && $0 <= most * 1.5 })
            #expect(Set(round).count > 1)
        }
    }

    @Test("One process at a time maintains the queue; after its end, another does")
    func leader() throws {
        var first: WorkQueue? = try WorkQueue(address)
        #expect(try first?.maintain() != nil)
        #expect(try first?.maintain() != nil)
        let second = try WorkQueue(address)
        #expect(try second.maintain() == nil)
        first = nil
        // The server notices the end of a connection a moment later.
        var done: QueueMaintenance?
        for _ in 0..<500 where done == nil {
            done = try second.maintain()
            if done == nil { usleep(10_000) }
        }
        #expect(done != nil)
    }

    @Test("Finished jobs are removed after a day, in batches, and others stay")
    func pruning() throws {
        try queue.add((0..<25).map { job("\($0)") })
        for claimed in try queue.claim(20, of: "read", for: "w") {
            #expect(try queue.complete(claimed))
        }
        #expect(try queue.maintain(batch: 3)?.deleted == 0)
        try queue.database.script("UPDATE job SET ended = ended - interval '2 days'")
        #expect(try queue.maintain(batch: 3)?.deleted == 20)
        #expect(try queue.status().waiting == 5)
    }

    @Test("New jobs wake listeners")
    func notification() throws {
        let worker = try WorkQueue(address)
        try worker.listen()
        #expect(try worker.database.notifications(within: 0).isEmpty)
        try queue.add([job("a"), job("b")])
        #expect(try worker.database.notifications(within: 10_000) == ["copystand_queue"])
        // Nothing is new, so nobody is notified.
        try queue.add([job("a")])
        #expect(try worker.database.notifications(within: 0).isEmpty)
    }

    @Test("Simultaneous workers claim every job once")
    func race() async throws {
        try queue.add((0..<200).map { job("\($0)", station: "s\($0 % 4)") })
        let address = address
        let claimed = try await withThrowingTaskGroup(of: [String].self) { group in
            for number in 0..<8 {
                group.addTask {
                    let queue = try WorkQueue(address)
                    var keys: [String] = []
                    while let job = try queue.claim(1, of: "read", for: "w\(number)").first {
                        keys.append(job.key)
                        guard try queue.complete(job) else { break }
                    }
                    return keys
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(claimed.count == 200 && Set(claimed).count == 200)
    }
}
