import CaptureHost
import CaptureKit
import Delivery
import Documents
import ExpectedFailures
import Imaging
import LiveCapture
import Processing
import Recognition

extension ScanRun {
    /// What has passed through the pipeline.
    struct Passed {
        var pages: [PageSummary] = []
        /// The files whose pages were released, since they can be read again.
        var releasedFiles: [SourceFile] = []
    }

    /// Takes captured pages through the pipeline to the sinks, in their order.
    func pass(
        _ fed: AsyncStream<FedPage>, _ pictures: PagePictures?, into passed: inout Passed
    ) async throws {
        let room = SpoolSpace(folder.path)
        let processed = orderedMap(
            fed, holding: holding, weight: { $0.captured.byteCount }
        ) { index, page in
            try await process(page, number: index + 1)
        }
        for try await (page, results) in processed {
            for (part, result) in results.enumerated() {
                let delivered = deliverable(page, result, number: passed.pages.count + 1)
                // A picture of two pages, or of one that is left, stays as it was captured.
                if results.count == 1, work != .left {
                    pictures?.make(delivered.image, of: page.captured.number)
                }
                let placed = await delivering.add(
                    delivered, captured: page.captured.number, part: part + 1)
                let summary = PageSummary(
                    page: placed.page, captured: page.captured.number, document: placed.document)
                passed.pages.append(summary)
                onEvent(.finished(summary))
            }
            if isRereadable, let file = page.file, room.isShort, file.isUnchanged {
                page.captured.discard()
                passed.releasedFiles.append(file)
                // Without a sink, further pages would be lost, so the capture stops.
                if await !delivering.isAlive { feed.stop() }
            } else {
                page.captured.release()
            }
        }
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

    private func deliverable(
        _ page: FedPage, _ result: ProcessedPage, number: Int
    ) -> DeliveredPage {
        let original = page.captured.original
        let scale = page.captured.scale
        // The pipeline has read the page already.
        let keepsPixels = reportedLater { try self.keepsPixels(of: page) } ?? false
        // Unchanged pixels are those of the file; files that can be read again are released
        // immediately.
        let isSpooled = !result.isChanged && !isRereadable && page.captured.room > 0
        let label = Self.label(page.label, result.parts)
        var delivered = DeliveredPage(
            page: Page(
                number: number, width: result.image.width, height: result.image.height,
                resolution: result.image.resolution ?? Self.assumedResolution,
                resolutionDown: keepsPixels ? scale.y : nil, text: result.text,
                provenance: Provenance(
                    device: page.device, label: label,
                    options: ledger.record.order.deviceOptions, steps: result.steps),
                problems: result.problems),
            image: result.image,
            originalJPEG: !result.isChanged && original?.mediaType == "image/jpeg"
                ? original.flatMap { readFile($0.path) } : nil,
            spooled: isSpooled
                ? SpooledPicture(path: page.captured.pixels, room: page.captured.room) : nil,
            uncut: result.placement.flatMap { page.captured.uncut(area, result, $0) },
            document: Self.documentPage(page, result), origin: page.importedFile)
        if work == .left {
            delivered.leave = { [captured = page.captured, device = page.device] leaving in
                try LeftPage.leave(captured, device: device, label: label, in: leaving)
            }
        }
        return delivered
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
}
