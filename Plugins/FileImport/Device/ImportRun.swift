import CaptureKit

/// One capture: walks files and pages, hands good pages on, and reports bad ones without stopping.
///
/// Bad pages before the first good one are held back, so that a source without any good page ends in one error
/// instead of a list and an error.
struct ImportRun {
    let worker: ImportWorker
    let settings: ImportSettings
    let limits: ImportLimits
    let sink: any FrameSink
    let limit: Int?
    /// Where the reading goes on; nil for the start.
    let after: ImportPlace?
    /// Runs before each file and page is read; tests have it crash or hang.
    let onRead: @Sendable (String) -> Void

    private var captured = 0
    /// The number of the file that is being read among those that were handed over; nil while it was not.
    private var document: Int?
    /// Files after the one that is being read.
    private var filesLeft = 0
    private var held: [ReadingPlace.Held] = []
    /// How many of `held` the host knows of.
    private var toldHeld = 0

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
        let files = try await worker.run { [limits] _ in
            do throws(DecodeFault) {
                return try FolderListing(folder, recursive: recursive, limit: limits.maximumFiles)
                    .files
            } catch {
                throw error.sentence(for: folder.display)
            }
        }
        for (index, file) in files.enumerated() {
            if run.isFull { break }
            guard let first = after.map({ $0.firstPage(of: file.relative) }) ?? 0 else { continue }
            run.filesLeft = files.count - index - 1
            try await run.add(
                file.path, name: Self.label(file.relative), place: file.relative, from: first,
                isOneOfMany: true)
        }
        if run.captured == 0, run.held.isEmpty, after == nil {
            throw CaptureError(
                .feederEmpty,
                "The folder '\(folder.display)' holds no file that can be read as pages",
                advice: "Files that can be read are \(FileFormat.list)"
                    + (recursive ? "" : "; folders in it are read with the option 'recursive'"))
        }
        try run.finish()
    }

    private mutating func add(
        _ path: FilePath, name: String, place: [UInt8], from first: Int, isOneOfMany: Bool
    ) async throws {
        try Task.checkCancellation()
        try await tell(name, place, pages: nil)
        let opened: (format: FileFormat, pages: Int)
        do {
            opened = try await worker.run { [worker, settings, limits, onRead] _ in
                worker.source = nil
                onRead(name)
                let (format, source) = try openSource(path, settings: settings, limits: limits)
                worker.source = source
                return (format, source.pageCount)
            }
        } catch let failure as OpenFailure {
            if isOneOfMany, failure.isOfAnotherKind(path) { return }
            try await skip(name, failure.fault.sentence(for: path.display, format: failure.format))
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
        _ index: Int, of count: Int, in path: FilePath, format: FileFormat, name: String,
        place: [UInt8], left: Int
    ) async throws {
        try Task.checkCancellation()
        let label = count == 1 ? name : "\(name), page \(index + 1)"
        try await tell(label, place, pages: index + 1)
        let page: DecodedPage
        do {
            let decoded = try await worker.run { [worker, onRead] cancel in
                onRead("\(name), page \(index + 1)")
                return try worker.source?.page(index, cancel: cancel)
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
        try await hand(page, label: label, expected: min(captured + 1 + left, limit ?? .max))
    }

    private mutating func hand(_ page: DecodedPage, label: String, expected: Int) async throws {
        var source: FrameSource?
        if let place = page.source, let document = try await handOver() {
            source = FrameSource(document: document, page: place.page, area: place.area)
        }
        let assumed = settings.assumedResolution
        let description = FrameDescription(
            format: page.format, width: page.width, height: page.height,
            resolution: page.resolution ?? (assumed > 0 ? Resolution(x: Double(assumed)) : nil),
            label: label, expected: expected,
            problems: page.problems.isEmpty ? nil : page.problems, source: source)
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

    /// Hands the file that is being read over to the host, once; its number, or nil when it is no document that may be.
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

    /// Tells the host what is read next: a page, or for no number of pages the file as a whole.
    private mutating func tell(_ label: String, _ file: [UInt8], pages: Int?) async throws {
        let untold = Array(held.dropFirst(toldHeld))
        toldHeld = held.count
        try await sink.reading(
            ReadingPlace(
                label: label, next: ImportPlace(file: file, pages: pages).text,
                rest: ImportPlace(file: file, pages: nil).text, held: untold))
    }

    private mutating func reportHeld() async throws {
        for one in held { try await sink.skip(label: one.label, one.error) }
        (held, toldHeld) = ([], 0)
    }

    /// Throws the first error when not one page was captured.
    private func finish() throws {
        guard captured == 0, var first = held.first?.error else { return }
        if held.count > 1 { first.message += " (and \(held.count - 1) more could not be read)" }
        throw first
    }

    /// A name for people, of at most 1,000 bytes, which may be shown as 4,000 letters: the protocol's labels end at 4,096.
    private static func label(_ name: [UInt8]) -> String {
        shownName(name.suffix(1_000))
    }
}
