import CaptureHost
package import Delivery
import Detection
import Documents
import FileNames
import FoundationEssentials
import Imaging
public import LiveCapture
public import ScanService

/// An event of watching a camera, for `watch --json` and the live events of the HTTP API; fields
/// that do not belong to an event are left out.
public struct WatchJSON: Codable, Sendable {
    /// The time of one stage, in milliseconds.
    package struct Stage: Codable, Sendable {
        package var count: Int
        package var mean: Double
        package var longest: Double
    }

    /// The contents of `stats`.
    package struct Statistics: Codable, Sendable {
        package var seconds: Double
        package var frames: Int
        package var looked: Int
        package var overtaken: Int
        package var dropped: Int
        package var damaged: Int
        package var stages: [String: Stage]
    }

    /// `state`, `captured`, `skipped`, `page`, `lost`, `back`, `note`, `delivered`, `failed` or
    /// `stats`.
    package var event: String
    /// The seconds since the watch began; for a recording, since its start.
    package var time: Double?
    package var state: String?
    package var reason: String?
    package var confidence: Double?
    package var sharpness: Double?
    /// x and y of the top left, top right, bottom right and bottom left corner, in pixels.
    package var corners: [[Double]]?
    package var width: Int?
    package var height: Int?
    package var rate: Double?
    /// The milliseconds that the search for the page took.
    package var search: Double?
    /// The number of pages so far, or of a document's pages.
    package var pages: Int?
    /// The page's number.
    package var page: Int?
    package var byHand: Bool?
    package var still: Bool?
    package var words: Int?
    package var steps: [String]?
    package var problems: [String]?
    package var code: String?
    package var message: String?
    package var sink: String?
    package var files: [String]?
    package var statistics: Statistics?

    private init(_ event: String, time: Double? = nil) {
        self.event = event
        self.time = time.map { ($0 * 1000).rounded() / 1000 }
    }

    /// The JSON of a camera's event; nil for an event without JSON.
    public init?(_ event: LiveEvent) {
        switch event {
        case .seen(let view): self.init(view)
        case .capturing(let time):
            self.init("state", time: time)
            state = LiveState.capturing.rawValue
        case .captured(let page):
            self.init("captured", time: page.time)
            self.page = page.number
            corners = page.quad.map(Self.rounded)
            (width, height) = (page.width, page.height)
            byHand = page.isByHand
            still = page.isStill
        case .missed(let time, let error): self.init("skipped", time, error)
        case .lost(let time, let error): self.init("lost", time, error)
        case .back(let time): self.init("back", time: time)
        case .note(let time, let text):
            self.init("note", time: time)
            message = text
        case .ended(let time, let statistics): self.init(statistics, at: time)
        }
    }

    /// The JSON of a document's event; nil for an event without JSON.
    public init?(_ event: ScanEvent) {
        switch event {
        case .finished(let summary):
            self.init("page")
            page = summary.page.number
            (width, height) = (summary.page.width, summary.page.height)
            words = summary.words
            steps = summary.page.provenance.steps.map { "\($0.name): \($0.summary)" }
            problems = summary.page.problems.isEmpty ? nil : summary.page.problems
        case .delivered(let receipt): self.init(delivered: receipt)
        case .undelivered(let failure):
            self.init("failed")
            sink = failure.sink
            message = failure.error.message
        default: return nil
        }
    }

    /// The JSON of a finished page, with another host's report about it.
    package init(finished page: Int, width: Int?, height: Int?, words: Int?, problems: [String]) {
        self.init("page")
        self.page = page
        (self.width, self.height) = (width, height)
        self.words = words
        self.problems = problems.isEmpty ? nil : problems
    }

    /// The JSON of a delivered document.
    package init(delivered receipt: Receipt) {
        self.init("delivered")
        sink = receipt.sink
        files = receipt.locations
        pages = receipt.pages
    }

    /// The event after `clean` has changed every text that may name a path on the host, for users of
    /// other machines.
    package func cleaned(_ clean: (String) -> String) -> WatchJSON {
        func place(_ path: String) -> String { clean(PlaceNames.name(of: path)) }
        var event = self
        event.message = message.map(clean)
        event.sink = sink.map(place)
        event.files = files?.map(place)
        event.steps = steps?.map(clean)
        event.problems = problems?.map(clean)
        return event
    }

    /// The event with a time; events of the document have no time of their own.
    package func timed(_ time: Double) -> WatchJSON {
        var event = self
        event.time = self.time ?? (time * 1000).rounded() / 1000
        return event
    }

    private init(_ view: LiveView) {
        self.init("state", time: view.time)
        state = view.status.state.rawValue
        reason = view.status.reason?.rawValue
        confidence = Self.thousandths(view.status.confidence)
        sharpness = view.status.sharpness.map(Self.thousandths)
        corners = view.quad.map(Self.rounded)
        (width, height) = (view.width, view.height)
        rate = Self.thousandths(view.rate)
        search = view.searchTime.map { Self.thousandths(1000 * $0) }
        pages = view.pages
    }

    private init(_ event: String, _ time: Double, _ error: HostError) {
        self.init(event, time: time)
        code = error.code.rawValue
        message = error.description
    }

    private init(_ statistics: LiveStatistics, at time: Double) {
        self.init("stats", time: time)
        pages = statistics.pages
        self.statistics = Statistics(
            seconds: Self.thousandths(statistics.seconds), frames: statistics.frames,
            looked: statistics.looked, overtaken: statistics.overtaken,
            dropped: statistics.dropped, damaged: statistics.damaged,
            stages: Dictionary(
                uniqueKeysWithValues: statistics.times.map {
                    (
                        $0.key.rawValue,
                        Stage(
                            count: $0.value.count, mean: Self.thousandths($0.value.mean),
                            longest: Self.thousandths(1000 * $0.value.longest))
                    )
                }))
    }

    private static func thousandths(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }

    private static func rounded(_ quad: Quad) -> [[Double]] {
        quad.corners.map { [($0.x * 10).rounded() / 10, ($0.y * 10).rounded() / 10] }
    }

    /// The event as a JSON object on one line, without the line's end.
    public var line: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return SafeJSON.text(try encoder.encode(self))
        }
    }
}
