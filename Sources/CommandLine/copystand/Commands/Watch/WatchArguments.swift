import CommandLine
import FoundationEssentials
import JobOptions
import Listings
import LiveCapture
import ScanService

/// The arguments of `watch`.
struct WatchArguments: Sendable {
    /// The request in the form for a host.
    var request: ScanRequest
    /// The files to write, in the order given; empty when none was named.
    var outputs: [String]
    /// The time without a capture after which the watch ends; nil for no limit.
    var idle: Duration?
    /// True when pages are only captured by hand.
    var isManual: Bool
    /// The input device whose keys capture; nil for none.
    var pedal: String?
    /// The condition for capturing a camera's pages as stills.
    var stills: LiveOptions.Stills
    /// True when times and drops are shown at the end.
    var showsStatistics: Bool
    /// The settings of PDFs.
    var pdf: PDFOrder
    /// True if events are printed as JSON.
    var isJSON: Bool
    /// The output streams, according to `--verbose`, `--quiet` and `--no-color`.
    var console: Console

    /// Reads the settings from a parsed command line.
    ///
    /// - Throws: ``UsageError`` for an invalid time or area, and a password that can't be read.
    init(_ parsed: ParsedArguments, _ console: Console) throws {
        request = try ScanRequest(parsed)
        request.device = parsed.text(ScanCommand.device).map(absoluteDevice)
        if let rate = parsed.text(WatchCommand.rate) {
            request.settings?.list.append(.init(option: "rate", value: rate))
        }
        outputs = parsed.texts(ScanOptions.output)
        idle = try parsed.text(WatchCommand.idle).map { text throws(UsageError) in
            guard let time = TimeText.duration(text) else {
                throw UsageError(
                    .invalidValue(text, expected: "a time above zero such as 60s, 5m or 1h"),
                    argument: WatchCommand.idle.spelling, path: parsed.path)
            }
            return time
        }
        isManual = parsed.isGiven(WatchCommand.manual)
        pedal = parsed.text(WatchCommand.pedal)
        stills = parsed.text(WatchCommand.still).flatMap(LiveOptions.Stills.init) ?? .auto
        showsStatistics = parsed.isGiven(WatchCommand.stats)
        pdf = try PDFArguments.order(parsed)
        isJSON = parsed.isGiven(SharedOptions.json)
        self.console = console
        request.watch = ScanRequest.Watch(
            manual: isManual, idle: idle.map { $0 / .seconds(1) }, stills: stills.rawValue)
    }

    /// The order for a job that captures from `device`.
    ///
    /// - Throws: `ProfileError` for a profile that can't be read.
    func order(of device: String) throws -> ScanOrder {
        var order = ScanOrder(request, from: [device])
        try order.place(in: outputs, sinks: [])
        order.pdf = pdf
        return order
    }
}
