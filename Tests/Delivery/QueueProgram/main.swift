import Glibc
import PostgreSQL
import WorkQueue

// A worker that claims one job, waits for a line, and then prints whether it could complete the
// job, for tests that kill and stop the worker. Arguments: the queue's address and the worker's
// name.
let words = Array(Swift.CommandLine.arguments.dropFirst())
do {
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
