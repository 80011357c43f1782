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
        _ key: String, station: String = "hall", urgency: NewJob.Urgency = .bulk, attempts: Int = 5,
        size: Int = 1
    ) -> NewJob {
        NewJob(
            kind: "read", key: key, station: station, urgency: urgency, payload: "pages of \(key)",
            attempts: attempts, size: size)
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

    @Test(
        "A worker gets a patience that it can wait for, whatever is in the table",
        arguments: [
            ("NaN", 1.0), ("Infinity", 86_400), ("-Infinity", 1), ("-1", 1), ("1e308", 86_400),
            ("60", 60),
        ])
    func patience(number: String, patience: Double) throws {
        try queue.add([job("a")])
        try queue.database.script("UPDATE copystand_queue.job SET patience = '\(number)'")
        #expect(try queue.claim(1, of: "read", for: "w").first?.patience == patience)
    }

    @Test(
        "A row with wild numbers and times keeps nobody from the other jobs",
        arguments: [
            "attempt = 9223372036854775807", "used = 9223372036854775807",
            "size = 9223372036854775807",
            "size = -9223372036854775807, progress = 9223372036854775807",
            "made = 'infinity'", "made = '-infinity'", "patience = 'Infinity'", "patience = 'NaN'",
        ])
    func wildRows(change: String) throws {
        try queue.add([job("a"), job("b"), job("c")])
        _ = try queue.claim(1, of: "read", for: "silent")
        try pass(seconds: 100_000)
        try queue.announce(
            Machine(name: "m", role: .worker, version: "1", load: 0, places: 1))
        try queue.database.script(
            """
            UPDATE copystand_queue.job SET \(change) WHERE key <> 'c';
            UPDATE copystand_queue.machine SET beat = '-infinity', began = 'infinity';
            """)
        _ = try queue.status()
        _ = try queue.machines()
        _ = try queue.unfinished(of: "read", first: 10)
        _ = try queue.sizeBefore(key: "c", of: "read")
        _ = try queue.maintain()
        #expect(try queue.claim(3, of: "read", for: "w").contains { $0.key == "c" })
    }

    @Test("A version below 1 gives an error, and does not end the program")
    func noVersion() throws {
        try queue.database.script("UPDATE copystand_queue.version SET number = -1")
        #expect(throws: PostgreSQLError.self) { try WorkQueue(address) }
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
        try queue.add((0..<6).map { job("a\($0)", station: "a", size: 7) })
        try queue.add([job("b0", station: "b"), job("b1", station: "b")])
        try queue.add([job("now", station: "a", urgency: .interactive)])
        #expect(try queue.sizeBefore(key: "now", of: "read") == 0)
        #expect(try queue.sizeBefore(key: "a1", of: "read") == 8)
        #expect(try queue.claim(1, of: "read", for: "w").map(\.key) == ["now"])
        // Station a has a running job, so b is next, and then they take turns.
        #expect(try queue.claim(1, of: "read", for: "w").map(\.key) == ["b0"])
        let next = try Set(
            (0..<2).flatMap { _ in try queue.claim(1, of: "read", for: "w").map(\.key) })
        #expect(next == ["a0", "b1"])
        #expect(try queue.claim(1, of: "read", for: "w").map(\.key) == ["a1"])
        #expect(try queue.sizeBefore(key: "a1", of: "read") == nil)
    }

    @Test("Jobs that are not done are listed with their places, and asked ones wherever they stand")
    func listing() throws {
        try queue.add((0..<5).map { job("a\($0)", size: $0 + 1) })
        try queue.add([job("now", urgency: .interactive, size: 9), job("broken", attempts: 1)])
        try queue.database.script(
            "UPDATE job SET due = now() - interval '1 day' WHERE key = 'broken'")
        let claimed = try queue.claim(2, of: "read", for: "w")
        #expect(claimed.map(\.key) == ["now", "broken"])
        #expect(try queue.beat(claimed[0], progress: 4))
        #expect(try queue.fail(claimed[1], reason: "no"))
        let listed = try queue.unfinished(of: "read", first: 3, and: ["a3", "broken", "gone"])
        #expect(listed.map(\.key) == ["now", "a0", "a1", "a3", "broken"])
        #expect(
            listed.map(\.state) == [
                .running(done: 4), .waiting(before: 0), .waiting(before: 1), .waiting(before: 6),
                .givenUp(reason: "no"),
            ])
        #expect(listed.map(\.size) == [9, 1, 2, 4, 1])
        #expect(listed.allSatisfy { $0.station == "hall" })
        #expect(try queue.sizeBefore(key: "a3", of: "read") == 6)
        #expect(try queue.unfinished(of: "write", first: 3).isEmpty)
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

    @Test("Nothing waits for a time that was noted while the server's clock was years ahead")
    func clockSetBack() throws {
        try queue.add([job("a"), job("b"), job("c")])
        let lost = try #require(try queue.claim(1, of: "read", for: "killed").first)
        let done = try #require(try queue.claim(1, of: "read", for: "w").first)
        #expect(try queue.complete(done))
        try queue.announce(Machine(name: "m", role: .worker, version: "1", load: 0))
        try queue.database.script(
            """
            UPDATE job SET due = due + interval '10 years', beat = beat + interval '10 years',
                ended = ended + interval '10 years';
            UPDATE machine SET beat = beat + interval '10 years';
            """)
        let last = try queue.claim(5, of: "read", for: "w")
        #expect(last.map(\.key) == ["c"])
        for job in last { #expect(try queue.complete(job)) }
        // A worker that lives reports again before its patience is over.
        #expect(try queue.maintain()?.freed == 0)
        try pass(seconds: 61)
        #expect(try queue.maintain()?.freed == 1)
        #expect(try queue.claim(5, of: "read", for: "w").map(\.id) == [lost.id])
        #expect(try queue.machines().allSatisfy { $0.silence >= 0 })
        try queue.database.script("UPDATE job SET ended = ended - interval '2 days'")
        #expect(try queue.maintain()?.deleted == 2)
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
        // A claim from before is still fenced out.
        #expect(try queue.claim(1, of: "read", for: "w").first?.attempt == 3)
        #expect(try !queue.complete(first))
    }

    @Test("What was given up stays until someone retries or removes it, however old it is")
    func deadStay() throws {
        try queue.add([job("a", attempts: 1)])
        let claimed = try #require(try queue.claim(1, of: "read", for: "w").first)
        #expect(try queue.fail(claimed, reason: "no"))
        try queue.database.script("UPDATE job SET ended = ended - interval '1000 days'")
        _ = try queue.maintain()
        #expect(try queue.status().dead == 1)
        try queue.remove(key: "a", of: "read", reason: "gone")
        #expect(try queue.status().dead == 0 && queue.deadJobs().isEmpty)
    }

    @Test("A job that is given back is another's next, and the attempt does not count")
    func givingBack() throws {
        try queue.add([job("a", attempts: 1)])
        for number in 1...3 {
            let claimed = try #require(try queue.claim(1, of: "read", for: "w").first)
            #expect(claimed.attempt == Int64(number))
            #expect(try queue.giveBack(claimed))
            #expect(try !queue.giveBack(claimed) && !queue.complete(claimed))
        }
        let last = try #require(try queue.claim(1, of: "read", for: "w").first)
        #expect(try queue.fail(last, reason: "no"))
        #expect(try queue.status().dead == 1)
    }

    @Test("A job that is ordered again replaces the earlier one, whoever has that")
    func replacing() throws {
        try queue.replace(job("a", size: 2))
        let old = try #require(try queue.claim(1, of: "read", for: "w").first)
        try queue.replace(job("a", size: 5))
        #expect(try !queue.complete(old) && !queue.hold(old))
        let status = try queue.status()
        #expect(status.waiting == 1 && status.waitingSize == 5 && status.running == 0)
        let new = try #require(try queue.claim(1, of: "read", for: "w").first)
        #expect(new.size == 5 && new.id != old.id)
        // Also one that was given up.
        try queue.database.script("UPDATE job SET state = 3 WHERE state = 1")
        try queue.replace(job("a"))
        #expect(try queue.status().dead == 0 && queue.status().waiting == 1)
    }

    @Test("A transaction that holds a job keeps others from it until its end")
    func holding() throws {
        try queue.add([job("a")])
        let claimed = try #require(try queue.claim(1, of: "read", for: "w").first)
        func holds() throws -> Bool { try queue.transaction { try queue.hold(claimed) } }
        #expect(try holds())
        try pass(seconds: 61)
        let other = try WorkQueue(address)
        let freed = try queue.transaction {
            try queue.hold(claimed) ? other.maintain()?.freed : nil
        }
        #expect(freed == 0)
        #expect(try other.maintain()?.freed == 1)
        #expect(try !holds())
    }

    @Test("Orders over another connection are made with its transaction, or not at all")
    func otherConnection() throws {
        let database = try PostgreSQLConnection(address, purpose: "tests", schema: "public")
        let there = try WorkQueue(over: database)
        try database.script("BEGIN")
        try there.add([job("a")])
        #expect(try queue.status().waiting == 0)
        try database.script("ROLLBACK")
        #expect(try queue.status().waiting == 0)
        try database.script("BEGIN")
        try there.add([job("a")])
        try database.script("COMMIT")
        #expect(try queue.status().waiting == 1)
    }

    @Test("Programs that use the queue are listed with what they do, until a week of silence")
    func machines() throws {
        let hall = Machine(name: "hall", role: .station, version: "1", load: 12)
        let worker = Machine(name: "w", role: .worker, version: "2", load: 1, places: 4)
        try queue.announce(hall)
        try queue.announce(worker)
        var changed = worker
        changed.load = 3
        try queue.announce(changed)
        let seen = try queue.machines()
        #expect(seen.map(\.machine) == [hall, changed] && seen.allSatisfy(\.isThere))
        try queue.database.script(
            "UPDATE machine SET beat = beat - interval '2 minutes' WHERE name = 'hall'")
        #expect(try queue.machines().map(\.isThere) == [false, true])
        try queue.database.script(
            "UPDATE machine SET beat = beat - interval '8 days' WHERE name = 'hall'")
        _ = try queue.maintain()
        #expect(try queue.machines().map(\.machine.name) == ["w"])
        try queue.dismiss("w")
        #expect(try queue.machines().isEmpty)
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

    @Test("When the process that maintains the queue is stopped, another does it after a minute")
    func silentLeader() throws {
        let leader = try WorkQueue(address)
        #expect(try leader.maintain() != nil)
        #expect(try queue.maintain() == nil)
        try queue.database.script("UPDATE upkeep SET beat = beat - interval '61 seconds'")
        #expect(try queue.maintain() != nil)
        // Only one process may take over.
        #expect(try queue.maintain() == nil)
        #expect(try leader.maintain() != nil)
    }

    @Test("Finished jobs go after a day, in batches, and others stay")
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
