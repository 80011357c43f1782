import CPDFReader
import CaptureKit

/// Reads a PDF file page by page.
///
/// A page that is one scanned picture is extracted unchanged, at the picture's resolution; every
/// other page is drawn.
final class PDFSource: PageSource {
    private let file: PDFFile
    private let settings: ImportSettings
    private let limits: ImportLimits

    var pageCount: Int { file.pageCount }
    /// The file; nil if it is encrypted, because a protected file is not passed on.
    let document: OpenFile?

    /// Opens the document, with the password from `settings` when it is encrypted.
    init(file: OpenFile, settings: ImportSettings, limits: ImportLimits) throws(DecodeFault) {
        self.settings = settings
        self.limits = limits
        self.file = try PDFFile(file, password: settings.password)
        document = self.file.isEncrypted ? nil : file
        guard pageCount > 0 else {
            throw .damaged("it has no pages")
        }
    }

    func page(_ index: Int, cancel: CancelFlag) throws(DecodeFault) -> DecodedPage? {
        let page = try file.page(index)
        guard page.width.isFinite, page.height.isFinite, page.width > 0, page.height > 0 else {
            throw .damaged("it measures \(page.width) × \(page.height) points")
        }
        try cancel.check()
        let scan = ScannedPage(page)
        var result: DecodedPage
        var area = cpdfr_box(x0: 0, y0: 0, x1: page.width, y1: page.height)
        if let picture = scan.onlyPicture, let taken = try picture.pixels(limits: limits) {
            result = taken
            area = picture.area
            result.source = (
                index + 1,
                [
                    area.x0 / page.width, area.y0 / page.height,
                    (area.x1 - area.x0) / page.width, (area.y1 - area.y0) / page.height,
                ]
            )
        } else {
            result = try draw(page, at: scan.resolution(usually: Double(settings.resolution)))
            result.source = (index + 1, nil)
        }
        try cancel.check()
        result.text = page.text(
            on: area, width: result.width, height: result.height, scans: scan.areas)
        if let problem = page.problem { result.problems.append(problem) }
        if file.isEncrypted, index == 0 { result.problems.append(Self.encrypted) }
        return result
    }

    private static let encrypted =
        "The PDF is encrypted, so a PDF made from it has pictures of its pages instead of the pages themselves."

    /// Draws a page at a resolution, or at the highest one that can be held; the result is as small
    /// as its colors allow.
    private func draw(_ page: PDFPage, at wanted: PDFResolution) throws(DecodeFault) -> DecodedPage
    {
        let scale = wanted.held(of: page, limits: limits)
        let (columns, rows) = scale.pixels(of: page)
        // The page takes 3 bytes a pixel, and its copy without colors another.
        try limits.check(width: columns, height: rows, bytesPerPixel: 4)
        let problems = try page.recolorPictures(limits: limits) + page.truncatedPictures
        let drawn = try DecodedPage(format: .rgb8, width: columns, height: rows, limits: limits)
        try page.draw(
            width: columns, height: rows, x: scale.x / 72, y: scale.y / 72, into: drawn.pixels)
        var result = try drawn.reduced(limits: limits)
        result.resolution = Resolution(x: scale.x, y: scale.y)
        result.facts = PageFacts(origin: .rendered, size: .measured, edgesArePaper: true)
        result.problems += problems
        if let problem = scale.reduction { result.problems.append(problem) }
        return result
    }
}
