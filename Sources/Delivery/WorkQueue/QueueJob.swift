/// Work that is to be done once, by any worker.
public struct NewJob: Hashable, Sendable {
    /// Who waits for it.
    public enum Urgency: Int64, Hashable, Sendable {
        /// Someone waits for the result.
        case interactive = 0
        /// Nobody does.
        case bulk = 1
    }

    /// What sort of work it is, such as `read`.
    public var kind: String
    /// What it is about; of a kind there is one live job for each.
    public var key: String
    /// The machine that ordered it, which takes turns with others.
    public var station: String
    /// Who waits for it.
    public var urgency: Urgency
    /// What a worker needs to know.
    public var payload: String
    /// How often it is tried.
    public var attempts: Int
    /// Seconds without a heartbeat after which its worker is taken for dead.
    public var patience: Double
    /// How much work it is, such as in pages.
    public var size: Int

    /// A job; in bulk, tried five times, with a minute of patience and of size 1 unless given.
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
/// The three numbers of its claim are in every write about it, so a worker that was stopped and
/// wakes up changes nothing of what another does.
public struct ClaimedJob: Hashable, Sendable {
    /// Its number.
    public let id: Int64
    /// Which attempt this is, from 1.
    public let attempt: Int64
    /// Who has it.
    public let worker: String
    /// What sort of work it is.
    public let kind: String
    /// What it is about.
    public let key: String
    /// The machine that ordered it.
    public let station: String
    /// What a worker needs to know.
    public let payload: String
    /// Seconds without a heartbeat after which its worker is taken for dead.
    public let patience: Double
    /// How much work it is, such as in pages.
    public let size: Int
}

/// A job that was given up.
public struct DeadJob: Hashable, Sendable {
    /// Its number.
    public let id: Int64
    /// What sort of work it is.
    public let kind: String
    /// What it is about.
    public let key: String
    /// The machine that ordered it.
    public let station: String
    /// How much work it is, such as in pages.
    public let size: Int
    /// How often it was tried.
    public let attempts: Int
    /// Why the last attempt failed.
    public let reason: String
}

/// What is in a queue.
public struct QueueStatus: Hashable, Sendable {
    /// Jobs that wait, those to be tried again included.
    public var waiting = 0
    /// Jobs that run.
    public var running = 0
    /// Jobs that were given up.
    public var dead = 0
    /// Seconds for which the oldest job has waited; nil when none waits.
    public var oldest: Double?
    /// The sizes of the jobs that wait, together.
    public var waitingSize = 0
    /// What is left of the sizes of the jobs that run, together.
    public var runningSize = 0
    /// Workers with a running job, by name.
    public var workers: [String] = []

    /// An empty queue.
    public init() {}
}
