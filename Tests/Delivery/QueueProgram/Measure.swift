import Glibc
import PostgreSQL
import Synchronization
import WorkQueue

/// Measures a queue; every line is a name and a number.
enum Measure {
    /// Claims and finishes jobs with several workers for some seconds, while many wait.
    ///
    /// - Parameter waiting: jobs that wait at any time, of eight stations.
    static func all(
        _ address: PostgreSQLAddress, workers: Int, waiting: Int, seconds: Double
    ) throws {
        let queue = try WorkQueue(address)
        let adding = try time { try add(waiting, from: 0, to: queue) }
        print("added_per_second \(Int(Double(waiting) / adding))")
        let claims = Mutex<[Double]>([])
        let next = Atomic(waiting)
        let failure = Mutex<(any Error)?>(nil)
        let end = now() + seconds
        let threads = (0..<workers).map { number in
            Worker {
                do {
                    let queue = try WorkQueue(address)
                    var own: [Double] = []
                    while now() < end {
                        var job: ClaimedJob?
                        own.append(
                            try time {
                                job = try queue.claim(1, of: "read", for: "w\(number)").first
                            })
                        guard let job else { break }
                        guard try queue.complete(job) else { throw Lost() }
                        // As many wait at the end as at the beginning.
                        let key = next.add(1, ordering: .relaxed).newValue
                        try add(1, from: key, to: queue)
                    }
                    claims.withLock { $0 += own }
                } catch { failure.withLock { $0 = error } }
            }
        }
        let maintained = try time {
            while now() < end {
                _ = try queue.maintain()
                usleep(200_000)
            }
        }
        for thread in threads { thread.join() }
        if let error = failure.withLock({ $0 }) { throw error }
        let times = claims.withLock { $0.sorted() }
        print("jobs_per_second \(Int(Double(times.count) / maintained))")
        for part in [50, 99] {
            let place = min(times.count - 1, times.count * part / 100)
            print("claim_p\(part)_ms \(times.isEmpty ? 0 : times[place] * 1000)")
        }
    }

    private struct Lost: Error {}

    private static func add(_ count: Int, from first: Int, to queue: WorkQueue) throws {
        let jobs = (first..<first + count).map {
            NewJob(kind: "read", key: "\($0)", station: "station-\($0 % 8)")
        }
        for start in stride(from: 0, to: count, by: 1_000) {
            try queue.transaction {
                _ = try queue.add(Array(jobs[start..<min(start + 1_000, count)]))
            }
        }
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func time(_ work: () throws -> Void) rethrows -> Double {
        let start = now()
        try work()
        return now() - start
    }
}

/// A thread, since calls to a queue block.
private final class Worker {
    private let work: @Sendable () -> Void
    private var thread = pthread_t()

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
        pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Worker>.fromOpaque(context).takeUnretainedValue().work()
                return nil
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    func join() { pthread_join(thread, nil) }
}
