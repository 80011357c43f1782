import CommandLine
import Listings
import ScanService

extension ScanRequest {
    /// What `scan` asks for.
    init(_ arguments: ScanArguments) {
        self.init()
        if case .device(let name) = arguments.source { device = name }
        profile = arguments.profile
        common = arguments.common
        settings = Self.merged(arguments.settings)
        pages = arguments.pages
        languages = arguments.languages
        title = arguments.title
        sinks = Self.sinks(arguments.sinks, isBrought: !arguments.outputs.isEmpty)
        steps = Self.merged(arguments.steps)
        omittedSteps = arguments.removedSteps
        waitsForPaper = arguments.waitsForPaper
        splitAt = arguments.splitting.marks
        splitPages = arguments.splitting.pages
        pdf = PDFRequest(arguments.pdf)
    }

    /// What `watch` asks for.
    init(_ arguments: WatchArguments) {
        self.init()
        device = arguments.device
        profile = arguments.profile
        common = arguments.common
        settings = Self.merged(arguments.settings)
        pages = arguments.pages
        languages = arguments.languages
        title = arguments.title
        sinks = Self.sinks([], isBrought: !arguments.outputs.isEmpty)
        steps = Self.merged(arguments.steps)
        omittedSteps = arguments.removedSteps
        watch = Watch(
            manual: arguments.isManual, idle: arguments.idle.map { $0 / .seconds(1) },
            stills: arguments.stills.rawValue)
        splitAt = arguments.splitting.marks
        splitPages = arguments.splitting.pages
        pdf = PDFRequest(arguments.pdf)
    }

    /// A document to fetch goes into the host's archive first, so that nothing is lost on the way;
    /// nil leaves it to the profile.
    private static func sinks(_ named: [String], isBrought: Bool) -> [String]? {
        let all = named + (isBrought && !named.contains("archive") ? ["archive"] : [])
        return all.isEmpty ? nil : all
    }

    /// If something is given twice, the last one counts, as on this machine.
    private static func merged(_ pairs: [NamedValue]) -> [String: String] {
        Dictionary(pairs.map { ($0.name, $0.value) }) { $1 }
    }
}
