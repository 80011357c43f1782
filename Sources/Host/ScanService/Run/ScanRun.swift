import CaptureHost
import CaptureKit
import Delivery
import Documents
import Imaging
import Processing
import Recognition
import Synchronization

/// A running job: pages go from a feed through the pipeline to the sinks, several at once, in
/// order.
struct ScanRun: Sendable {
    let feed: any PageFeed
    let pipeline: PagePipeline
    let delivering: BatchDelivering
    let folder: JobFolder
    let ledger: JobLedger
    /// True when the pages come from files outside of the job's folder.
    let isRereadable: Bool
    /// True when the pages are from a stack that was not captured completely.
    let isOpen: Bool
    /// True when some of the job's files are missing.
    let isIncomplete: Bool
    /// True when the pages are left to workers as they were captured.
    let isLeaving: Bool
    /// True when a document without some of its pages is of no use, and is not delivered.
    let needsAll: Bool
    /// The part of every picture that is kept; nil for the whole picture.
    let area: CaptureArea?
    /// The limit on pages in memory at once, each counted with its captured bytes.
    let holding: HoldingLimit
    let onEvent: @Sendable (ScanEvent) -> Void

    func run(_ control: ScanControl) async throws -> ScanOutcome {
        let (fed, line) = AsyncStream.makeStream(of: FedPage.self)
        let skipped = Mutex<[SkippedPage]>([])
        let collated = Mutex<ScanOutcome.Collation?>(nil)
        let taken = Mutex(0)
        let devices = Mutex<Set<String>>([])
        let pictures = control.picture.map { PagePictures(of: area, for: $0) }
        let room = SpoolSpace(folder.path)
        var releasedFiles: [SourceFile] = []
        let capture = Task { () -> ScanOutcome.Ending in
            defer { line.finish() }
            do {
                try await feed.run { event in
                    switch event {
                    case .skipped(let page): skipped.withLock { $0.append(page) }
                    case .collated(let fronts, let backs):
                        collated.withLock { $0 = .init(fronts: fronts, backs: backs) }
                    default: break
                    }
                    onEvent(event)
                } take: {
                    taken.withLock { $0 += 1 }
                    devices.withLock { [device = $0.device] in _ = $0.insert(device) }
                    pictures?.make($0.captured)
                    line.yield($0)
                }
                if !isOpen, !isIncomplete {
                    CaptureMark(
                        captures: ledger.record.captureCount, pages: taken.withLock { $0 }
                    ).write(to: folder.path)
                }
                return .completed
            } catch is CancellationError {
                return .stopped
            } catch {
                return control.isStopped ? .stopped : .deviceFailed(error)
            }
        }
        control.onStop { [feed] in feed.stop() }

        var pages: [PageSummary] = []
        var obstacle: (any Error)?
        do {
            try await withTaskCancellationHandler {
                let processed = orderedMap(
                    fed, holding: holding, weight: { $0.captured.byteCount }
                ) { index, page in
                    try await process(page, number: index + 1)
                }
                for try await (page, results) in processed {
                    for (part, result) in results.enumerated() {
                        let delivered = deliverable(page, result, number: pages.count + 1)
                        // A picture of two pages, or of one that is left, stays as it was captured.
                        if results.count == 1, !isLeaving {
                            pictures?.make(delivered.image, of: page.captured.number)
                        }
                        let placed = await delivering.add(
                            delivered, captured: page.captured.number, part: part + 1)
                        let summary = PageSummary(
                            page: placed.page, captured: page.captured.number,
                            document: placed.document)
                        pages.append(summary)
                        onEvent(.finished(summary))
                    }
                    if isRereadable, let file = page.file, room.isShort, file.isUnchanged {
                        page.captured.discard()
                        releasedFiles.append(file)
                        // Without a sink, further pages would be lost, so the capture stops.
                        if await !delivering.isAlive { feed.stop() }
                    } else {
                        page.captured.release()
                    }
                }
            } onCancel: {
                feed.stop()
            }
        } catch {
            obstacle = error
            // No more pages of files are read. The sheets in a feeder are captured to the end, and
            // kept.
            if ledger.record.isOfFiles || needsAll { feed.stop() }
        }
        let ending = await capture.value
        if let obstacle { throw obstacle }
        if needsAll {
            switch ending {
            case .completed: break
            case .stopped: throw CancellationError()
            case .deviceFailed(let error): throw error
            }
        }
        var outcome = ScanOutcome(ending: ending, pages: pages, skipped: skipped.withLock { $0 })
        outcome.collated = collated.withLock { $0 }
        // The files that the pages are made from may be deleted now.
        await pictures?.finish()
        await conclude(&outcome, releasedFiles, devices: devices.withLock { $0 })
        return outcome
    }

    private func process(
        _ page: FedPage, number: Int
    ) async throws -> (FedPage, [ProcessedPage]) {
        let keepsPixels = try keepsPixels(of: page)
        let (input, steps, problems) = try picture(of: page, number: number, keepsPixels)
        var results = try await pipeline.process(consume input)
        for index in results.indices {
            results[index].isChanged = results[index].isChanged || steps.contains(where: \.changed)
            results[index].steps.insert(contentsOf: steps, at: 0)
            results[index].problems += problems
            if results[index].image.resolution == nil { assumeSize(of: &results[index]) }
        }
        return (page, results)
    }

    /// Gives a page of unknown scale the size that its shape makes likely, and reports that.
    private func assumeSize(of page: inout ProcessedPage) {
        let likeliest = ClaimedScale.likeliest(for: page.image, target: pipeline.profile.looksFor)
        page.image.resolution = likeliest.resolution
        page.steps.append(
            StepReport(
                name: "resolution", summary: likeliest.summary, changed: false,
                measurements: ["resolution": likeliest.resolution], milliseconds: 0))
    }

    /// True if a page keeps pixels that are not square: only if no code examines them, places
    /// something on them, or shows them in a browser, which assumes square ones.
    private func keepsPixels(of page: FedPage) throws -> Bool {
        let order = ledger.record.order
        guard page.captured.scale.isOblong, pipeline.leavesPages, order.sinks.isEmpty,
            !order.outputs.contains(where: ArchiveSink.isMeant)
        else { return false }
        return try page.captured.ownText() == nil
    }

    /// A page's picture for the pipeline, and how it was prepared; no other code holds the picture.
    private func picture(
        of page: FedPage, number: Int, _ keepsPixels: Bool
    ) throws -> (PageInput, steps: [StepReport], problems: [String]) {
        let (whole, isStretched) = try page.captured.raster(keepingPixels: keepsPixels)
        let cut = page.captured.part(area, of: whole)
        let image = cut ?? whole
        let isCut = image.bounds != whole.bounds
        var steps: [StepReport] = []
        var problems = page.captured.description.problems ?? []
        if let doubt = page.captured.scale.doubt {
            steps.append(
                StepReport(name: "resolution", summary: doubt, changed: false, milliseconds: 0))
        }
        if isStretched {
            steps.append(
                StepReport(
                    name: "pixels", summary: "stretched to square pixels", changed: true,
                    milliseconds: 0))
        }
        if isCut {
            steps.append(
                StepReport(
                    name: "region", summary: "cut to \(image.width) × \(image.height) pixels",
                    changed: true, milliseconds: 0))
        } else if area != nil, cut == nil {
            problems.append(
                "The region lies outside the picture of \(whole.width) × \(whole.height) pixels, so the "
                    + "whole picture was kept.")
        }
        var text: PageText?
        let own = try page.captured.ownText()
        if let own {
            let kept =
                cut == nil
                ? whole.bounds
                : area?.drawn(on: page.captured.corners)
                    .rectangle(inPictureOf: whole.width, by: whole.height) ?? whole.bounds
            text = PageText(own).stretched(from: page.captured.description, to: whole, cut: kept)
        }
        let input = PageInput(
            image: image,
            provenance: Provenance(
                device: page.device, label: page.label,
                options: ledger.record.order.deviceOptions),
            corners: isStretched || isCut ? nil : page.captured.corners.flatMap(Quad.init),
            text: text, isTextPartial: own?.isPartial ?? false, facts: page.captured.facts,
            number: number)
        return (input, steps, problems)
    }

    private func deliverable(_ page: FedPage, _ result: ProcessedPage, number: Int) -> DeliveredPage
    {
        let original = page.captured.original
        let scale = page.captured.scale
        let keepsPixels = (try? keepsPixels(of: page)) ?? false
        // Unchanged pixels are those of the file; files that can be read again are released
        // immediately.
        let isSpooled = !result.isChanged && !isRereadable && page.captured.room > 0
        return DeliveredPage(
            page: Page(
                number: number, width: result.image.width, height: result.image.height,
                resolution: result.image.resolution ?? Self.assumedResolution,
                resolutionDown: keepsPixels ? scale.y : nil, text: result.text,
                provenance: Provenance(
                    device: page.device, label: Self.label(page.label, result.parts),
                    options: ledger.record.order.deviceOptions, steps: result.steps),
                problems: result.problems),
            image: result.image,
            originalJPEG: !result.isChanged && original?.mediaType == "image/jpeg"
                ? original.flatMap { readFile($0.path) } : nil,
            spooled: isSpooled
                ? SpooledPicture(path: page.captured.pixels, room: page.captured.room) : nil,
            uncut: result.placement.flatMap { page.captured.uncut(area, result, $0) },
            document: Self.documentPage(page, result), origin: page.importedFile,
            captured: isLeaving ? page.captured : nil)
    }

    /// The page of a PDF that a page shows; nil for one of several pages in a picture, or a part of
    /// a page.
    private static func documentPage(_ page: FedPage, _ result: ProcessedPage) -> DocumentPage? {
        guard let source = page.captured.source, result.parts.isEmpty else { return nil }
        let isCut = result.steps.contains { $0.name == "region" && $0.changed }
        return DocumentPage(
            path: source.path, number: source.page, area: source.area,
            isKept: !result.isRemade && !isCut && !result.hasLostText,
            turn: result.turn, addedText: result.readText)
    }

    /// The label of one of several pages in a picture, such as `glass.jpg, part 2 of 3`.
    private static func label(_ label: String?, _ parts: [ProcessedPage.Part]) -> String? {
        guard !parts.isEmpty else { return label }
        let part = parts.map { "part \($0.number) of \($0.of)" }.joined(separator: ", ")
        return label.map { "\($0), \(part)" } ?? part
    }

    /// The resolution in dots per inch for a page without one: a phone's photo of an A4 sheet
    /// becomes about A4.
    static let assumedResolution = 300.0

    /// - Parameter devices: the devices of the pages.
    private func conclude(
        _ outcome: inout ScanOutcome, _ releasedFiles: [SourceFile], devices: Set<String>
    ) async {
        if outcome.pages.isEmpty {
            await delivering.cancel()
        } else {
            onEvent(.completing(pages: outcome.pages.count))
            await delivering.finish()
        }
        outcome.receipts = await delivering.receipts
        outcome.found = await delivering.found
        outcome.failures = await delivering.failures
        outcome.documents = await delivering.documents
        let asideCount = isRereadable ? 0 : await delivering.asideCount
        let outputs = await delivering.outputs
        let places = await delivering.places
        let isDelivered = !outcome.receipts.isEmpty && outcome.failures.isEmpty
        let spool = SpoolFolder(path: folder.path)
        let held = (try? HeldPages(spool, ledger.record).pages) ?? []
        let interruption =
            interruption(
                outcome.ending, held.map(\.asCaptured), isEmpty: outcome.pages.isEmpty)
            ?? unreadInput(outcome, devices)
        let order = ledger.record.order
        let blankPages =
            order.keepsBlankPages || !order.leavesBlankPagesOut
            ? 0 : Self.blankPagesLeftOut(outcome.pages)
        outcome.blankPagesLeftOut = blankPages
        let isSpared = !isRereadable && blankPages > 0
        guard !outcome.failures.isEmpty || interruption != nil || isSpared || asideCount > 0 else {
            return folder.remove()
        }
        // Delivered files belong to their owner, and the job's pages must not change with them. If
        // the disk has no space for copies, a changed page will be noticed.
        try? spool.separatePages()
        // If the record can't be written, the document goes to a new file the next time, and
        // nothing is lost.
        try? ledger.update { record in
            record.interruption = interruption
            record.awaitedArchives = DeliveryFailure.awaitedArchives(outcome.failures)
            record.blankPages = isSpared ? blankPages : nil
            record.asidePages = asideCount > 0 ? asideCount : nil
            if isDelivered { record.deliveredPages = held.count }
            let earlier = (record.places ?? []).filter { place in
                !places.contains { $0.sink == place.sink && $0.job == place.job }
            }
            record.places =
                earlier
                + places.map { place in
                    var place = place
                    if place.job == folder.id { place.captured = held.count }
                    return place
                }
            for receipt in outcome.receipts {
                guard
                    let output = outputs.first(where: { record.path(of: $0) == receipt.sink })
                else { continue }
                record.deliveries = record.deliveries ?? [:]
                record.deliveries?[output] = .init(
                    left: receipt.files,
                    document: ArchiveSink.isMeant(by: output) ? receipt.locations.first : nil)
            }
        }
        if !outcome.failures.isEmpty {
            outcome.keptJob = folder.id
            outcome.kept = .init(
                pages: held.count, unread: releasedFiles.count { $0.isUnchanged },
                lost: releasedFiles.count { !$0.isUnchanged })
        }
        if isSpared { outcome.blankPagesJob = folder.id }
        if asideCount > 0 { outcome.asidePagesJob = folder.id }
        if let interruption {
            outcome.continuation = .init(
                job: folder.id, pages: held.count, interruption: interruption,
                isReread: ledger.record.isOfFiles)
        }
    }

    /// The number of blank pages that files leave out; a document of only blank pages keeps its
    /// first.
    private static func blankPagesLeftOut(_ pages: [PageSummary]) -> Int {
        Dictionary(grouping: pages, by: \.document).values.reduce(0) { sum, pages in
            let blank = pages.count { $0.page.isBlank }
            return sum + (blank == pages.count ? blank - 1 : blank)
        }
    }

    /// The message that the only copy of an input stays because it was not read completely;
    /// otherwise nil.
    private func unreadInput(_ outcome: ScanOutcome, _ devices: Set<String>) -> Interruption? {
        let hasEnded = if case .completed = outcome.ending { !isOpen } else { false }
        let isUnread = OwnFiles.paths(in: folder.path).contains { path in
            let name = path.lastComponent
            return !hasEnded || !devices.contains("file:" + path)
                || outcome.skipped.contains { page in
                    page.label.map { $0 == name || $0.hasPrefix(name + ", ") } ?? true
                }
        }
        guard isUnread else { return nil }
        return Interruption(
            code: Interruption.unread, reason: "not all of its own files could be read", next: nil)
    }

    /// The reason why the job can be continued; nil when the job has no pages, or was captured
    /// completely.
    ///
    /// Pages from files are read again as a whole, and need not be in the spool.
    private func interruption(
        _ ending: ScanOutcome.Ending, _ kept: [PageOrder.Captured], isEmpty: Bool
    ) -> Interruption? {
        guard isRereadable ? !isEmpty : !kept.isEmpty else { return nil }
        let isOfFiles = ledger.record.isOfFiles
        let next = isOfFiles ? nil : ledger.record.arranged(kept).next
        switch ending {
        case .completed where isOpen || isIncomplete:
            var earlier = ledger.record.interruption
            earlier?.next = next
            return earlier
                ?? Interruption(
                    code: Interruption.broken,
                    reason: isOfFiles ? "not all of its files were read" : "the program was ended",
                    next: next)
        case .completed: return isEmpty ? ledger.record.interruption : nil
        case .stopped:
            return Interruption(code: Interruption.stopped, reason: "it was stopped", next: next)
        case .deviceFailed(let error):
            let known = captureError(error)
            return Interruption(code: known.code.rawValue, reason: known.message, next: next)
        }
    }
}
