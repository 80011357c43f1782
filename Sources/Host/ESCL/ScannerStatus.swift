/// The state of a shared device and its jobs, in the form for clients (`scan:ScannerStatus`).
public struct ScannerStatus: Hashable, Sendable {
    /// The feeder's state.
    public enum Feeder: String, Hashable, Sendable, CaseIterable {
        /// The feeder has paper, or can't sense it.
        case loaded = "ScannerAdfLoaded"
        /// The feeder has no paper.
        case empty = "ScannerAdfEmpty"
        /// Paper is stuck.
        case jammed = "ScannerAdfJam"
        /// A cover is open.
        case open = "ScannerAdfHatchOpen"
        /// Two sheets were drawn in at once.
        case doubleFeed = "ScannerAdfMultipickDetected"
    }

    /// The state of a job.
    public enum JobState: String, Hashable, Sendable, CaseIterable {
        /// The job waits for the device.
        case pending = "Pending"
        /// The job is scanning, or its pages wait to be fetched.
        case processing = "Processing"
        /// A client has fetched all pages of the job.
        case completed = "Completed"
        /// A person stopped the job.
        case canceled = "Canceled"
        /// The job failed.
        case aborted = "Aborted"

        /// The reason for the state, in PWG's words.
        var reason: String {
            switch self {
            case .pending: "JobQueued"
            case .processing: "JobScanning"
            case .completed: "JobCompletedSuccessfully"
            case .canceled: "JobCanceledByUser"
            case .aborted: "AbortedBySystem"
            }
        }
    }

    /// A job in the form for clients.
    public struct Job: Hashable, Sendable {
        /// The job's address below the host's root.
        public var path: String
        /// The job's name.
        public var id: String
        /// The seconds since a client last asked for the job.
        public var age: Int
        /// The number of fetched pages.
        public var fetched: Int
        /// The number of pages that wait to be fetched.
        public var waiting: Int
        /// The job's state.
        public var state: JobState

        /// A job.
        public init(
            path: String, id: String, age: Int, fetched: Int, waiting: Int, state: JobState
        ) {
            (self.path, self.id, self.age) = (path, id, age)
            (self.fetched, self.waiting, self.state) = (fetched, waiting, state)
        }
    }

    /// True if the device is scanning.
    public var isBusy: Bool
    /// The feeder's state; nil for a device without one.
    public var feeder: Feeder?
    /// The jobs, the newest first.
    public var jobs: [Job]

    /// The state of a device.
    public init(isBusy: Bool, feeder: Feeder?, jobs: [Job] = []) {
        (self.isBusy, self.feeder, self.jobs) = (isBusy, feeder, jobs)
    }

    /// The document that clients read.
    public var document: [UInt8] {
        let needsHand = feeder.map { $0 == .jammed || $0 == .open } ?? false
        return XMLElement(
            "scan:ScannerStatus",
            [
                XMLElement("pwg:Version", ESCLNames.version),
                XMLElement(
                    "pwg:State", isBusy ? "Processing" : needsHand ? "Stopped" : "Idle"),
                feeder.map { XMLElement("scan:AdfState", $0.rawValue) },
                jobs.isEmpty ? nil : XMLElement("scan:Jobs", jobs.map(Self.element)),
            ]
        ).document
    }

    private static func element(_ job: Job) -> XMLElement {
        XMLElement(
            "scan:JobInfo",
            [
                XMLElement("pwg:JobUri", job.path), XMLElement("pwg:JobUuid", job.id),
                XMLElement("scan:Age", job.age), XMLElement("pwg:ImagesCompleted", job.fetched),
                XMLElement("pwg:ImagesToTransfer", job.waiting),
                XMLElement("pwg:JobState", job.state.rawValue),
                XMLElement(
                    "pwg:JobStateReasons",
                    [XMLElement("pwg:JobStateReason", job.state.reason)]),
            ])
    }
}

/// The properties of a fetched page (`scan:ScanImageInfo`).
public struct ScanImageInfo: Hashable, Sendable {
    /// The job's address below the host's root.
    public var path: String
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The bytes in a row of samples.
    public var bytesPerLine: Int

    /// A page.
    public init(path: String, width: Int, height: Int, bytesPerLine: Int) {
        (self.path, self.width, self.height) = (path, width, height)
        self.bytesPerLine = bytesPerLine
    }

    /// The document that clients read.
    public var document: [UInt8] {
        XMLElement(
            "scan:ScanImageInfo",
            [
                XMLElement("pwg:JobUri", path), XMLElement("scan:ActualWidth", width),
                XMLElement("scan:ActualHeight", height),
                XMLElement("scan:ActualBytesPerLine", bytesPerLine),
            ]
        ).document
    }
}
