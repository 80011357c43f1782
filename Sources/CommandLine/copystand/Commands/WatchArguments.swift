import CommandLine
import FoundationEssentials
import ScanService

/// What `watch` is asked to do, from the command line.
struct WatchArguments: Hashable, Sendable {
    /// The device's name; nil for the default one.
    var device: String?
    /// The profile's name.
    var profile: String
    /// The files to write, in the order given; empty when none was named.
    var outputs: [String]
    /// The device's options to set, in the order given, `--rate` among them.
    var settings: [NamedValue]
    /// The scanner's settings by their common names.
    var common: CommonSettings
    /// The most pages in all, or with a scanner the most in each job; nil for no limit.
    var pages: Int?
    /// How long the watch may capture nothing before it ends; nil for no limit.
    var idle: Duration?
    /// True when pages are captured by hand only.
    var isManual: Bool
    /// The input device whose keys capture; nil for none.
    var pedal: String?
    /// When a camera's pages are taken as stills.
    var stills: LiveOptions.Stills
    /// True when times and drops are shown at the end.
    var showsStatistics: Bool
    /// Changes to the profile as `STEP=VALUE` or `STEP.OPTION=VALUE`, in the order given.
    var steps: [NamedValue]
    /// Steps to leave out.
    var removedSteps: [String]
    /// The document's title; nil for none.
    var title: String?
    /// The languages of the text instead of the profile's; empty for the profile's.
    var languages: [String]
    /// Where a batch is split into documents.
    var splitting: SplitArguments
    /// How PDFs are made.
    var pdf: PDFOrder
    /// Whether events are printed as JSON.
    var isJSON: Bool
    /// Where output goes, including `--verbose`, `--quiet` and `--no-color`.
    var console: Console

    /// Reads them from a parsed command line.
    ///
    /// - Throws: ``UsageError`` for an invalid time or area, and a password that can't be
    ///   read.
    init(_ parsed: ParsedArguments, _ console: Console) throws {
        common = try CommonSettings(parsed)
        splitting = try SplitArguments(parsed)
        typealias O = ScanOptions
        device = parsed.text(ScanCommand.device).map(absoluteDevice)
        profile = parsed.text(O.profile) ?? "document"
        outputs = parsed.texts(O.output)
        settings = parsed.pairs(O.set)
        if let rate = parsed.text(WatchCommand.rate).flatMap({ NamedValue("rate=" + $0) }) {
            settings.append(rate)
        }
        pages = parsed.integer(O.pages)
        idle = try parsed.text(WatchCommand.idle).map { text throws(UsageError) in
            guard let time = Self.time(text) else {
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
        steps = parsed.pairs(O.step)
        steps += ScanOptions.readerChange(parsed)
        removedSteps = parsed.texts(O.withoutStep)
        title = parsed.text(O.title)
        languages = parsed.texts(O.language)
        pdf = try PDFArguments.order(parsed)
        isJSON = parsed.isGiven(SharedOptions.json)
        self.console = console
    }

    /// A time such as `90`, `60s`, `5m`, `1.5h`: seconds where no unit is given; nil for anything
    /// else, and for none at all.
    static func time(_ text: String) -> Duration? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
        let unit = text.last.flatMap { units[$0] }
        guard let number = Double(unit == nil ? text[...] : text.dropLast()),
            number.isFinite, number > 0, number <= 1e6
        else { return nil }
        return .seconds(number * (unit ?? 1))
    }

    /// The order for a job that captures from `device`.
    ///
    /// - Throws: `ProfileError` for a profile that can't be read.
    func order(of device: String) throws -> ScanOrder {
        let places = try ScanOrder.Places(outputs: outputs, sinks: [], profile: profile)
        var order = ScanOrder(
            sources: [device], outputs: places.outputs,
            profile: profile,
            settings: settings.map { .init(option: $0.name, value: $0.value) }, limit: pages,
            stepChanges: steps.map { "\($0.name)=\($0.value)" }, omittedSteps: removedSteps,
            languages: languages, title: title)
        order.common = common
        order.pdf = pdf
        order.sinks = places.sinks
        order.splitAt = splitting.marks
        order.splitPages = splitting.pages
        return order
    }
}
