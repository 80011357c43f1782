import CommandLine
import JobOptions
import Listings
import ScanService

extension ScanRequest {
    /// The request for the common options of `scan`, `import` and `watch`.
    ///
    /// - Throws: ``UsageError`` for values that are valid by themselves but contradict each other.
    init(_ parsed: ParsedArguments) throws {
        typealias O = ScanOptions
        self.init()
        profile = parsed.text(O.profile) ?? "document"
        common = try CommonSettings(parsed)
        settings = DeviceSettings(
            parsed.pairs(O.set).map { .init(option: $0.name, value: $0.value) })
        let given = try GivenJobOptions(parsed)
        options = given.settings
        settings?.list += given.device
        let changes = parsed.pairs(O.step).map { ($0.name, $0.value) } + given.steps
        // If something is given twice, the last one counts.
        steps = Dictionary(changes) { $1 }
        omittedSteps = parsed.texts(O.withoutStep)
    }

    /// The request for a host whose document is fetched into files, if there are any.
    ///
    /// The document goes into the host's archive first, so that nothing is lost on the way.
    func fetched(into outputs: [String], _ pdf: PDFOrder) -> ScanRequest {
        var request = self
        let named = sinks ?? []
        let all = named + (!outputs.isEmpty && !named.contains("archive") ? ["archive"] : [])
        request.sinks = all.isEmpty ? nil : all
        request.pdf = PDFRequest(pdf)
        return request
    }
}
