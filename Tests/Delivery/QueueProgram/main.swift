import Glibc
import PostgreSQL
import WorkQueue

// A worker that claims one job, waits for a line, and then prints whether it could complete the
// job, for tests that kill and stop the worker. Arguments: the queue's address and the worker's
// name.
// For measurements: `measure`, the queue's address, workers, waiting jobs, seconds.
let words = Array(Swift.CommandLine.arguments.dropFirst())
do {
    if words.count == 5, words[0] == "measure", let workers = Int(words[2]),
        let waiting = Int(words[3]), let seconds = Double(words[4])
    {
        try Measure.all(
            PostgreSQLAddress(words[1]), workers: workers, waiting: waiting, seconds: seconds)
        exit(0)
    }
    guard words.count == 2 else { exit(2) }
    let queue = try WorkQueue(PostgreSQLAddress(words[0]))
    guard let job = try queue.claim(1, of: "read", for: words[1]).first else { exit(3) }
    print("claimed \(job.key) \(job.attempt)")
    fflush(nil)
    _ = readLine()
    print("beat \(try queue.beat(job, progress: 1))")
    print("complete \(try queue.complete(job))")
} catch {
    print("failed: \(error)")
    exit(1)
}
