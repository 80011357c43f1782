import Delivery
import Documents
import FoundationEssentials
import Processing

// From a job's order to the sinks that take its document.
extension ScanService {
    /// Begins to deliver a job's document.
    ///
    /// - Parameter linked: the files of its pages that a sink may have taken before.
    func begin(
        _ profile: Profile, _ ledger: JobLedger, job: String, linked: [String],
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void
    ) throws -> Delivering {
        let order = ledger.record.order
        let changesNothing = profile.steps.isEmpty && profile.text == nil
        let compression = order.compression ?? (changesNothing ? .none : .lossless)
        var options = try order.pdf.options()
        options.compressesTIFF = compression != .none
        let all =
            try order.outputs.map { try sink(for: $0, options, ledger, linked: linked, onEvent) }
            + order.sinks.map { try namedSink($0, options) }
        try checkProtection(order.pdf, all)
        // The archive comes first: the others' receipts are kept with its document.
        let sinks = all.filter { $0 is ArchiveSink } + all.filter { !($0 is ArchiveSink) }
        // The same at every try, so that names that are made of it are.
        let created = ledger.record.begun.map(Date.init(timeIntervalSince1970:)) ?? now()
        let title =
            order.title ?? sinks.compactMap { $0 as? FileSink }.first.map {
                DocumentTitle.ofFile($0.name)
            }
            ?? order.sources.first { $0.hasPrefix("file:") }.map(DocumentTitle.ofFile)
            ?? "Scan of " + DocumentTitle.day(created)
        return try Delivering(
            sinks,
            DocumentInfo(
                title: title, created: created.timeIntervalSince1970, job: job,
                archive: sinks.compactMap { $0 as? ArchiveSink }.first?.folder),
            keepsBlankPages: order.keepsBlankPages, now: now
        ) { onEvent(.undelivered($0)) }
    }

    /// The named sink, which makes its file as the job's own are.
    private func namedSink(_ name: String, _ options: FileSinkOptions) throws -> any Sink {
        let sink = try namedSink(name)
        guard var named = sink as? NamedSink else { return sink }
        named.fileOptions = options
        return named
    }

    /// Refuses a password with which nothing would be protected.
    private func checkProtection(_ pdf: PDFOrder, _ sinks: [any Sink]) throws(DeliveryError) {
        guard pdf.isProtected else { return }
        let makesPDF = sinks.contains {
            ($0 as? FileSink)?.format == .pdf || ($0 as? NamedSink)?.makesPDF == true
        }
        guard !makesPDF else { return }
        throw DeliveryError(
            .invalidOption,
            "There is a password for a PDF, but no PDF is written: the archive and other formats can't be protected by it. Add -o FILE.pdf."
        )
    }

    /// The sink of an output: where the job delivered to it before, one that takes the place of that.
    private func sink(
        for output: String, _ options: FileSinkOptions, _ ledger: JobLedger,
        linked: [String], _ onEvent: @Sendable (ScanEvent) -> Void
    ) throws -> any Sink {
        let record = ledger.record
        let sink = try SinkCatalog.sink(for: record.path(of: output), fileOptions: options)
        guard let able = sink as? any ReplacingSink else { return sink }
        let before = record.deliveries?[output]
        let states = [before?.left, before?.placing].compactMap { $0 }.filter { !$0.isEmpty }
        if !states.isEmpty, let obstacle = able.obstacle(to: states) {
            onEvent(.notReplaced(output: output, isGone: obstacle == .gone))
        }
        return able.replacing(
            EarlierDelivery(states: states, linked: linked) { files throws(DeliveryError) in
                do throws(JobError) {
                    try ledger.update { record in
                        var delivery = record.deliveries?[output] ?? JobRecord.StoredDelivery()
                        delivery.placing = files
                        record.deliveries = record.deliveries ?? [:]
                        record.deliveries?[output] = delivery
                    }
                } catch {
                    // A document that the job does not know again would be delivered twice, or stand in its own way.
                    throw DeliveryError(.inputOutput, error.message)
                }
            })
    }
}
