import WorkQueue

/// The state of the machines that share an archive, for the command line and the HTTP API.
public struct SharedStatusJSON: Encodable, Sendable {
    /// A host that scans for the archive.
    public struct Station: Encodable, Sendable {
        /// Its name in the network.
        public let name: String
        /// The version of its program.
        public let version: String
        /// True if it reported within the last minute.
        public let isThere: Bool
        /// Seconds since its last report.
        public let silence: Double
        /// Pages that it keeps until the server has them.
        public let pages: Int
    }

    /// A worker of the archive.
    public struct Worker: Encodable, Sendable {
        /// Its name.
        public let name: String
        /// The version of its program.
        public let version: String
        /// True if it reported within the last minute.
        public let isThere: Bool
        /// Seconds since its last report.
        public let silence: Double
        /// Jobs that it runs.
        public let jobs: Int
        /// Jobs that it can run at the same time.
        public let places: Int
    }

    /// The jobs that wait for workers.
    public struct Queue: Encodable, Sendable {
        /// Jobs that wait, those to be tried again included.
        public let waitingJobs: Int
        /// Their pages.
        public let waitingPages: Int
        /// Jobs that are being processed.
        public let runningJobs: Int
        /// Their pages that are not processed yet.
        public let runningPages: Int
        /// Seconds for which the oldest job has waited; nil when none waits.
        public let oldest: Double?
    }

    /// A job that workers gave up.
    public struct GivenUp: Encodable, Sendable {
        /// Its number.
        public let number: Int64
        /// Its name on its station.
        public let job: String
        /// The machine that scanned it.
        public let station: String
        /// Its pages.
        public let pages: Int
        /// The number of attempts.
        public let attempts: Int
        /// The reason why the last attempt failed.
        public var reason: String
    }

    /// The stations, by their names.
    public let stations: [Station]
    /// The workers, by their names.
    public let workers: [Worker]
    /// The jobs that wait.
    public let queue: Queue
    /// The last jobs that were given up.
    public var givenUp: [GivenUp]

    /// The JSON of a state.
    public init(_ status: SharedStatus) {
        let seen = status.machines
        stations = seen.filter { $0.machine.role == .station }.map {
            Station(
                name: $0.machine.name, version: $0.machine.version, isThere: $0.isThere,
                silence: $0.silence, pages: $0.machine.load)
        }
        workers = seen.filter { $0.machine.role == .worker }.map {
            Worker(
                name: $0.machine.name, version: $0.machine.version, isThere: $0.isThere,
                silence: $0.silence, jobs: $0.machine.load, places: $0.machine.places)
        }
        queue = Queue(
            waitingJobs: status.queue.waiting, waitingPages: status.queue.waitingSize,
            runningJobs: status.queue.running, runningPages: status.queue.runningSize,
            oldest: status.queue.oldest)
        givenUp = status.dead.map {
            GivenUp(
                number: $0.id, job: $0.key, station: $0.station, pages: $0.size,
                attempts: $0.attempts, reason: $0.reason)
        }
    }
}
