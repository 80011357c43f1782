public import Archive
public import Documents
import Imaging

extension Archive {
    /// A page of a document in the form for a sink: the picture cut and turned by the document's
    /// changes, with the text at its places.
    ///
    /// A page of an imported file comes with the file only if the user may open it: attachments,
    /// forms and titles belong to all of the file's pages.
    ///
    /// - Parameter document: the document with the page, for its imported files; without it, the
    ///   page is a picture.
    /// - Throws: ``ArchiveError`` `damaged`, ``DeliveryError`` when the picture can't be read.
    public func deliverable(
        _ page: ArchivedPage, of document: ArchivedDocument? = nil
    ) throws -> DeliveredPage {
        let bytes = try image(page.image)
        var picture: Raster
        do { picture = try Raster.decoded(from: bytes) } catch {
            throw DeliveryError(
                .inputOutput,
                "Page \(page.page.number) can't be read from the archive: \(error.message)")
        }
        guard picture.width == page.frame.width, picture.height == page.frame.height else {
            throw DeliveryError(
                .inputOutput,
                "Page \(page.page.number) can't be read from the archive: its picture has \(picture.width) × \(picture.height) "
                    + "pixels, not \(page.frame.width) × \(page.frame.height).")
        }
        let turn = QuarterTurn(rawValue: page.frame.turn.rawValue)
        if let crop = page.frame.crop {
            picture = picture.cropped(
                to: PixelRect(x: crop.x, y: crop.y, width: crop.width, height: crop.height))
        }
        if let turn { picture = picture.rotated(by: turn) }
        picture.resolution = page.page.resolution
        return DeliveredPage(
            page: page.page, image: picture,
            originalJPEG: page.frame.crop == nil && turn == nil && page.media == "image/jpeg"
                ? bytes : nil,
            document: try documentPage(page, turn, open: document?.originals ?? []))
    }

    /// The page of the stored PDF that a page shows; nil for none, or for a part of one.
    ///
    /// - Parameter open: the files that the user may open.
    private func documentPage(
        _ page: ArchivedPage, _ turn: QuarterTurn?, open: [KeptOriginal]
    ) throws(ArchiveError) -> DocumentPage? {
        guard let (file, place) = page.original, place.likeness != .part,
            place.media == "application/pdf", open.contains(where: { $0.file == file })
        else { return nil }
        let degrees = place.likeness.degrees.map { ($0 + (turn?.degrees ?? 0)) % 360 }
        return DocumentPage(
            path: try path(ofKept: file), number: place.number, area: place.area,
            isKept: degrees != nil && page.frame.crop == nil && !page.isTextCorrected,
            turn: degrees.flatMap { QuarterTurn(rawValue: $0) },
            addedText: place.addedText?.shown(in: page.frame), isKeptElsewhere: true)
    }

    /// Delivers a document to a sink, with one page in memory at a time.
    ///
    /// - Parameters:
    ///   - numbers: the pages to deliver, in the document's order and even if they are blank; nil
    ///     for all.
    ///   - keepsBlankPages: true to deliver blank pages too.
    /// - Throws: ``ArchiveError``; ``DeliveryError`` `invalidOption` when the document has no page
    ///   with one of the numbers, or another one. Then the sink has no part of the document.
    public func deliver(
        _ id: DocumentID, to sink: any Sink, pages numbers: PageNumbers? = nil,
        keepsBlankPages: Bool = false
    ) throws -> Receipt {
        let document = try document(id)
        let pages = try document.pages(numbers)
        let writer = try sink.delivering(id, of: place).begin(
            .init(
                title: document.summary.title, created: document.summary.created,
                language: document.summary.language, isTitleGiven: document.isTitleGiven,
                user: user))
        do {
            var filter = BlankPageFilter(
                for: writer, keepsAll: keepsBlankPages || numbers != nil)
            for page in pages {
                if let passed = filter.pass(try deliverable(page, of: document)) {
                    try writer.add(passed)
                }
            }
            if let page = filter.last() { try writer.add(page) }
            return try writer.finish()
        } catch {
            writer.cancel()
            throw error
        }
    }
}

extension ArchivedDocument {
    /// The pages with these numbers in the document's order; all pages for nil.
    fileprivate func pages(_ numbers: PageNumbers?) throws(DeliveryError) -> [ArchivedPage] {
        guard let numbers else { return pages }
        let known = Set(pages.map(\.page.number))
        for end in numbers.ranges.flatMap({ [$0.lowerBound, $0.upperBound] })
        where !known.contains(end) {
            let first = known.min() ?? 1
            let last = known.max() ?? 1
            let all = first == last ? "page \(first) only" : "pages \(first) to \(last)"
            throw DeliveryError(
                .invalidOption,
                "Document \(summary.id.rawValue) has no page \(end). It has \(all).")
        }
        return pages.filter { numbers.contains($0.page.number) }
    }
}
