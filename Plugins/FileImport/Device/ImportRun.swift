import CaptureKit

/// One capture: visits files and pages, passes good pages on, and reports bad ones without
/// stopping.
///
/// Bad pages before the first good one are reported with that one, so that a source without any
/// good page ends in a single error.
struct ImportRun {
    let worker: ImportWorker
    let settings: ImportSettings
    let limits: ImportLimits
    let sink: any FrameSink
    let limit: Int?
    /// The place where the reading continues; nil for the start.
    let after: ImportPlace?
    /// Runs before each file and page is read; tests have it crash or hang.
    let onRead: @Sendable (String) -> Void

    private var captured = 0
    /// The number under which the current file was handed over; nil if it was not.
    private var document: Int?
    /// The number of files after the present one.
    private var filesLeft = 0
    private var held: [ReadingPlace.Held] = []
    /// The number of pages in `held` that were reported to the host.
    private var reportedHeld = 0

    init(
        worker: ImportWorker, settings: ImportSettings, limits: ImportLimits, sink: any FrameSink,
        limit: Int?, after: ImportPlace? = nil,
        onRead: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.after = after
        self.onRead = onRead
        self.worker = worker
        self.settings = settings
        self.limits = limits
        self.sink = sink
        self.limit = limit
    }

    private var isFull: Bool { limit.map { captured >= $0 } ?? false }

    /// Imports the pages of one file.
    func importFile(_ path: FilePath) async throws {
        var run = self
        if let first = after.map({ $0.firstPage(of: []) }) ?? 0 {
            try await run.add(
                path, name: Self.label(path.name), place: [], from: first, isOneOfMany: false)
        }
        try run.finish()
    }

    /// Imports the files of a folder in natural order.
    func importFolder(_ folder: FilePath) async throws {
        var run = self
        let recursive = settings.recursive
        let listing = try await worker.run { [limits] _ in
            do throws(DecodeFault) {
                return try FolderListing(folder, recursive: recursive, limit: limits.maximumFiles)
            } catch {
                throw error.sentence(for: folder.display)
            }
        }
        let files = listing.files
        for (index, file) in files.enumerated() {
            if run.isFull { break }
            guard let first = after.map({ $0.firstPage(of: file.relative) }) ?? 0 else { continue }
            run.filesLeft = files.count - index - 1
            try await run.add(
                file.path, name: Self.label(file.relative), place: file.relative, from: first,
                isOneOfMany: true)
        }
        if !run.isFull { try await run.leaveOut(listing, of: folder) }
        // One failure is thrown below, and the others are reported, so that every file is accounted
        // for.
        let failure = run.held.firstIndex { $0.error.code != .notAPage }
        let thrown = failure.map { run.held.remove(at: $0) }
        try await run.reportHeld()
        if let thrown { throw thrown.error }
        if run.captured == 0, after == nil {
            throw CaptureError(
                .feederEmpty,
                "The folder '\(folder.display)' holds no file that can be read as pages",
                advice: "Supported files: \(ImportFormat.list)"
                    + (recursive ? "" : "; its subfolders are read with the option 'recursive'"))
        }
    }

    /// Reports the contents of a folder that are not read.
    private mutating func leaveOut(_ listing: FolderListing, of folder: FilePath) async throws {
        // The slash shows that the message is about the folder.
        let name = Self.label(folder.name) + "/"
        if !listing.hidden.isEmpty {
            try await skip(
                name,
                CaptureError(
                    .notAPage,
                    "\(Self.counted(listing.hidden, "hidden file")) not read: \(Self.names(listing.hidden))"
                ))
        }
        if !listing.folders.isEmpty {
            try await skip(
                name,
                CaptureError(
                    .notAPage,
                    "\(Self.counted(listing.folders, "subfolder")) not read: \(Self.names(listing.folders))",
                    advice: settings.recursive
                        ? "Links to folders are not followed; name the folders to read them"
                        : "To read subfolders, use -s recursive=true"))
        }
    }

    private mutating func add(
        _ path: FilePath, name: String, place: [UInt8], from first: Int, isOneOfMany: Bool
    ) async throws {
        try Task.checkCancellation()
        try await reportPlace(name, place, pages: nil)
        let opened: (format: ImportFormat, pages: Int)
        do {
            opened = try await worker.run { [worker, settings, limits, onRead] _ in
                worker.source = nil
                onRead(name)
                let (format, source) = try openSource(path, settings: settings, limits: limits)
                worker.source = source
                return (format, source.pageCount)
            }
        } catch let failure as OpenFailure {
            var error = failure.fault.sentence(for: path.display, format: failure.format)
            if isOneOfMany, failure.isOfAnotherKind(path) { error.code = .notAPage }
            try await skip(name, error)
            return
        }
        document = nil
        guard opened.pages <= limits.maximumPages else {
            let fault = DecodeFault.tooLarge(
                "\(opened.pages) pages", limit: "\(limits.maximumPages) pages")
            try await skip(name, fault.sentence(for: path.display))
            return
        }
        let wanted = (0..<opened.pages).filter { $0 >= first && settings.pages.contains($0 + 1) }
        if wanted.isEmpty, first == 0 {
            let fault = DecodeFault.noPageSelected(settings.pages.text, pages: opened.pages)
            try await skip(name, fault.sentence(for: path.display))
        }
        for (position, index) in wanted.enumerated() {
            if isFull { break }
            // A file that was not opened yet counts as one page.
            let left = wanted.count - position - 1 + filesLeft
            try await addPage(
                index, of: opened.pages, in: path, format: opened.format, name: name,
                place: place, left: left)
        }
        try await worker.run { [worker] _ in worker.source = nil }
    }

    private mutating func addPage(
        _ index: Int, of count: Int, in path: FilePath, format: ImportFormat, name: String,
        place: [UInt8], left: Int
    ) async throws {
        try Task.checkCancellation()
        let label = count == 1 ? name : "\(name), page \(index + 1)"
        try await reportPlace(label, place, pages: index + 1)
        let page: DecodedPage
        do {
            let decoded = try await worker.run { [worker, onRead, settings] cancel in
                onRead("\(name), page \(index + 1)")
                let page = try worker.source?.page(index, cancel: cancel)
                if settings.strict, let damage = page?.damage { throw DecodeFault.damaged(damage) }
                return page
            }
            guard let decoded else { return }
            page = decoded
        } catch let fault as DecodeFault {
            if fault == .cancelled { throw CancellationError() }
            let number = count == 1 ? nil : index + 1
            try await skip(label, fault.sentence(for: path.display, page: number, format: format))
            return
        }
        try Task.checkCancellation()
        try await reportHeld()
        try await deliver(page, label: label, expected: min(captured + 1 + left, limit ?? .max))
    }

    private mutating func deliver(_ page: DecodedPage, label: String, expected: Int) async throws {
        var description = page.described(
            label: label, expected: expected, assumedResolution: settings.assumedResolution)
        if let place = page.source, let document = try await handOver() {
            description.source = FrameSource(
                document: document, page: place.page, area: place.area)
        }
        let writer: any FrameWriter
        do {
            writer = try await sink.begin(description)
        } catch let error as CaptureError where error.code == .tooLarge {
            // The host's limits are narrower than ours; the other pages may still fit.
            try await skip(label, error)
            return
        }
        try await writer.writePieces(of: page.pixels)
        if let text = page.text { try await writer.text(text) }
        try await writer.finish(original: page.original)
        captured += 1
    }

    /// Passes the file that is being read to the host, when first called.
    ///
    /// Returns the document's number, or nil for a file that is not passed on.
    private mutating func handOver() async throws -> Int? {
        if let document { return document }
        let size = try await worker.run { [worker] _ in worker.source?.document?.size }
        guard let size else { return nil }
        document = try await sink.source(mediaType: "application/pdf", size: size) {
            [worker] offset, count in
            try await worker.run { _ in
                try worker.source?.document?.read(at: offset, count: count) ?? []
            }
        }
        return document
    }

    private mutating func skip(_ label: String?, _ error: CaptureError) async throws {
        if captured == 0, after == nil {
            held.append(ReadingPlace.Held(label: label, error: error))
        } else {
            try await sink.skip(label: label, error)
        }
    }

    /// Reports the next place to the host: a page, or the whole file without a page number.
    private mutating func reportPlace(_ label: String, _ file: [UInt8], pages: Int?) async throws {
        let unreported = Array(held.dropFirst(reportedHeld))
        reportedHeld = held.count
        try await sink.reading(
            ReadingPlace(
                label: label, next: ImportPlace(file: file, pages: pages).text,
                rest: ImportPlace(file: file, pages: nil).text, held: unreported))
    }

    private mutating func reportHeld() async throws {
        for one in held { try await sink.skip(label: one.label, one.error) }
        (held, reportedHeld) = ([], 0)
    }

    /// Throws the first error if no page was captured.
    private func finish() throws {
        guard captured == 0, var first = held.first?.error else { return }
        if held.count > 1 { first.message += " (and \(held.count - 1) more could not be read)" }
        throw first
    }

    private static func counted(_ names: [[UInt8]], _ noun: String) -> String {
        names.count == 1 ? "1 \(noun) was" : "\(names.count) \(noun)s were"
    }

    /// The first of many names, and the number of the others.
    private static func names(_ names: [[UInt8]]) -> String {
        let shown = names.prefix(5).map { label($0) }.joined(separator: ", ")
        return names.count > 5 ? "\(shown) and \(names.count - 5) more" : shown
    }

    /// A name for people, of at most 1,000 bytes.
    ///
    /// Escaped, these are at most 4,000 letters; the protocol's labels have at most 4,096.
    private static func label(_ name: [UInt8]) -> String {
        shownName(name.suffix(1_000))
    }
}
