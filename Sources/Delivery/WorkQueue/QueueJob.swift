/// A new job: work to be done once, by any worker.
public struct NewJob: Hashable, Sendable {
    /// The urgency of a job: whether someone waits for it.
    public enum Urgency: Int64, Hashable, Sendable {
        /// Someone waits for the result.
        case interactive = 0
        /// Nobody waits for the result.
        case bulk = 1
    }

    /// The kind of work, such as `read`.
    public var kind: String
    /// The subject of the work; of each kind and key there is at most one unfinished job.
    public var key: String
    /// The machine that ordered the job; machines take turns.
    public var station: String
    /// The job's urgency.
    public var urgency: Urgency
    /// The data that a worker needs.
    public var payload: String
    /// The number of attempts.
    public var attempts: Int
    /// The seconds without a heartbeat after which a worker counts as dead.
    public var patience: Double
    /// The amount of work, such as a number of pages.
    public var size: Int

    /// A job; by default in bulk, of size 1, with five attempts, and dead after a minute of
    /// silence.
    public init(
        kind: String, key: String, station: String, urgency: Urgency = .bulk,
        payload: String = "", attempts: Int = 5, patience: Double = 60, size: Int = 1
    ) {
        self.kind = kind
        self.key = key
        self.station = station
        self.urgency = urgency
        self.payload = payload
        self.attempts = attempts
        self.patience = patience
        self.size = size
    }
}

/// A job that a worker has claimed.
///
/// Every write checks the three values of the claim, so a worker that was suspended can't change a
/// job that another worker has taken over.
public struct ClaimedJob: Hashable, Sendable {
    /// Its number.
    public let id: Int64
    /// The number of this attempt, from 1.
    public let attempt: Int64
    /// The worker that has claimed the job.
    public let worker: String
    /// The kind of work.
    public let kind: String
    /// The subject of the work.
    public let key: String
    /// The machine that ordered the job.
    public let station: String
    /// The data that a worker needs.
    public let payload: String
    /// The seconds without a heartbeat after which the worker counts as dead.
    public let patience: Double
    /// The amount of work, such as a number of pages.
    public let size: Int
}

/// A job that was given up.
public struct DeadJob: Hashable, Sendable {
    /// Its number.
    public let id: Int64
    /// The kind of work.
    public let kind: String
    /// The subject of the work.
    public let key: String
    /// The machine that ordered it.
    public let station: String
    /// The amount of work, such as a number of pages.
    public let size: Int
    /// The number of attempts.
    public let attempts: Int
    /// The reason why the last attempt failed.
    public let reason: String
}

/// A job that is not done, as shown to those who wait for it.
public struct QueuedJob: Hashable, Sendable {
    /// The state of a job that is not done.
    public enum State: Hashable, Sendable {
        /// The job waits, with this much work before it.
        case waiting(before: Int)
        /// A worker has the job, and has done this much of its work.
        case running(done: Int)
        /// The job was given up for this reason.
        case givenUp(reason: String)
    }

    /// The subject of the work.
    public let key: String
    /// The machine that ordered it.
    public let station: String
    /// The amount of work, such as a number of pages.
    public let size: Int
    /// The job's state.
    public let state: State
}

/// The state of a queue.
public struct QueueStatus: Hashable, Sendable {
    /// The number of jobs that wait, including those to be tried again.
    public var waiting = 0
    /// The number of running jobs.
    public var running = 0
    /// The number of jobs that were given up.
    public var dead = 0
    /// The seconds for which the oldest job has waited; nil when none waits.
    public var oldest: Double?
    /// The sizes of the jobs that wait, together.
    public var waitingSize = 0
    /// The sum of the remaining parts of the running jobs' sizes.
    public var runningSize = 0
    /// Workers with a running job, by name.
    public var workers: [String] = []

    /// An empty queue.
    public init() {}
}
