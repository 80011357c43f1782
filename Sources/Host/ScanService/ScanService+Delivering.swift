import Archive
import Delivery
import Documents
import FoundationEssentials
import JobOptions
import Processing

// Finds the sinks for a job's order.
extension ScanService {
    /// Begins to deliver a job's document, or one document of its split batch.
    ///
    /// - Parameters:
    ///   - linked: the files of pages that a sink may have delivered before.
    ///   - leaving: leaves the pages to workers; nil when they are processed here.
    ///   - claim: the claim of a left job whose document it is; nil for a job of this machine.
    func begin(
        _ place: DocumentPlace, _ purpose: BatchDelivering.Purpose, profile: Profile,
        ledger: JobLedger, job: String, linked: [String], leaving: LeavingSink?,
        claim: LeftJobClaim?,
        onEvent: @escaping @Sendable (ScanEvent) -> Void
    ) throws -> Delivering {
        let order = ledger.record.order
        let changesNothing = profile.steps.isEmpty && profile.text == nil
        let compression = order.options[.compression] ?? (changesNothing ? .none : .lossless)
        var options = try order.pdf.options()
        options.compressesTIFF = compression != .none
        let onEvent = purpose == .probe ? { @Sendable _ in } : onEvent
        let outputs = zip(order.outputs, DocumentNames(order.outputs).outputs(place))
        let files = try outputs.compactMap { ordered, output in
            if leaving != nil { return nil as (any Sink)? }
            let sink = try sink(
                for: output, options, purpose: purpose, ledger: ledger, linked: linked,
                onEvent: onEvent)
            // A name from a barcode is not known before the barcode is read.
            let isNamed = ordered.contains(DocumentNames.nameMark)
            return purpose == .probe && isNamed ? nil : sink
        }
        let all = try files + order.sinks.map { try namedSink($0, options) }
        if leaving != nil || files.count == order.outputs.count {
            try checkProtection(order.pdf, all)
        }
        // A device's pages stay in the spool, so the job does not wait for an archive's server. Files
        // are read when the server answers.
        let archives = all.compactMap { $0 as? ArchiveSink }.map { sink in
            if let claim { return sink.claimed(claim) }
            return ledger.record.isRereadable ? sink : sink.startingAway()
        }
        // The archive comes first, because it stores the receipts of the other sinks.
        let others = all.filter { !($0 is ArchiveSink) }
        let sinks: [any Sink] = leaving.map { [$0] } ?? archives + others
        let tags = order.options[.tags]
        // The time is the same at every attempt, so names with it are too.
        let created = ledger.record.begun.map(Date.init(timeIntervalSince1970:)) ?? now()
        return try Delivering(
            sinks,
            DocumentInfo(
                title: title(place, order, sinks: sinks, created: created),
                created: created.timeIntervalSince1970,
                job: place.number.map { "\(job)/\($0)" } ?? job,
                isTitleGiven: order.options[.title] == nil ? nil : true,
                archive: archives.first?.folder,
                tags: tags.isEmpty ? nil : tags, user: order.user,
                isImported: ledger.record.isOfFiles ? true : nil),
            keepsBlankPages: order.options[.keepsBlankPages],
            allowsDuplicates: order.options[.allowsDuplicates],
            skipsRefusingSinks: purpose == .batch, now: now
        ) { onEvent(.undelivered($0)) }
    }

    /// A document's title: from its barcode, otherwise from its file or its source; different for
    /// each document of a stack.
    private func title(
        _ place: DocumentPlace, _ order: ScanOrder, sinks: [any Sink], created: Date
    ) -> String {
        if let title = order.options[.title] {
            return place.number == nil ? title : "\(title) \(place.mark)"
        }
        if place.name != nil { return place.mark }
        if let file = sinks.compactMap({ $0 as? FileSink }).first {
            return DocumentTitle.ofFile(file.name)
        }
        let title =
            order.sources.first { $0.hasPrefix("file:") }.map(DocumentTitle.ofFile)
            ?? "Scan of " + DocumentTitle.moment(created)
        return place.number.map { "\(title), \($0)" } ?? title
    }

    /// The named sink, which makes its file as the job's own are.
    private func namedSink(_ name: String, _ options: FileSinkOptions) throws -> any Sink {
        try namedSink(name).making(options)
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
            "There is a password for a PDF, but no PDF is written: it can't protect the archive or other formats. Add -o FILE.pdf."
        )
    }

    /// The sink of an output; if the job delivered to that output before, the sink replaces that
    /// delivery.
    private func sink(
        for output: String, _ options: FileSinkOptions, purpose: BatchDelivering.Purpose,
        ledger: JobLedger, linked: [String], onEvent: @Sendable (ScanEvent) -> Void
    ) throws -> any Sink {
        let record = ledger.record
        var sink = try Outputs.sink(for: record.path(of: output), fileOptions: options)
        if purpose == .batch, let file = sink as? FileSink { sink = file.yielding() }
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
                        delivery.announce(files) { able.obstacle(to: [$0]) == nil }
                        record.deliveries = record.deliveries ?? [:]
                        record.deliveries?[output] = delivery
                    }
                } catch {
                    // A document that the job does not recognize would be delivered twice, or block
                    // itself.
                    throw DeliveryError(.inputOutput, error.message)
                }
            })
    }
}
