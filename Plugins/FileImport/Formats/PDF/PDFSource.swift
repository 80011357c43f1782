import CPoppler
import CaptureKit

/// A PDF file, page by page (poppler).
///
/// A page that is one scanned picture is taken out as it is, at its own resolution; every other page is rendered.
final class PDFSource: PageSource {
    private let document: OpaquePointer
    private let pictures: PDFPictures?
    private let settings: ImportSettings
    private let limits: ImportLimits

    let pageCount: Int

    /// Opens the document (`poppler_document_new_from_file`), with the password from `settings` when it is encrypted.
    init(file: OpenFile, settings: ImportSettings, limits: ImportLimits) throws(DecodeFault) {
        self.settings = settings
        self.limits = limits
        // The descriptor's own name opens the same file, even when its path now names another. A descriptor itself won't
        // do: poppler tries a password twice, in two encodings, and has closed the descriptor by then.
        let name = "file:///proc/self/fd/\(file.descriptor)"
        var failure: UnsafeMutablePointer<GError>?
        let password = settings.password.isEmpty ? nil : settings.password
        guard let opened = poppler_document_new_from_file(name, password, &failure) else {
            defer { g_clear_error(&failure) }
            if poppler_is_encrypted_error(failure) != 0 {
                throw password == nil ? .passwordMissing : .passwordWrong
            }
            throw .damaged(
                failure.map { printable(String(cString: $0.pointee.message)) }
                    ?? "it can't be opened")
        }
        document = opened
        pageCount = Int(poppler_document_get_n_pages(opened))
        pictures = PDFPictures(file: file, password: settings.password)
        guard pageCount > 0 else {
            throw .damaged("it has no pages")
        }
    }

    deinit { poppler_unref(UnsafeMutableRawPointer(document)) }

    func page(_ index: Int, cancel: CancelFlag) throws(DecodeFault) -> DecodedPage? {
        guard let page = poppler_document_get_page(document, Int32(clamping: index)) else {
            throw .damaged("it can't be found in the file")
        }
        defer { poppler_unref(UnsafeMutableRawPointer(page)) }
        if let pictures {
            let scan = ScannedPage(page: page, index: index, pictures: pictures, limits: limits)
            if let picture = try scan.extract(cancel: cancel) { return picture }
        }
        try cancel.check()
        return try renderPage(page, dotsPerInch: settings.resolution, limits: limits)
    }
}

/// Draws a page on white (`poppler_page_render`); the result is as small as its colours allow.
private func renderPage(
    _ page: OpaquePointer, dotsPerInch: Int, limits: ImportLimits
) throws(DecodeFault) -> DecodedPage {
    var width = 0.0
    var height = 0.0
    poppler_page_get_size(page, &width, &height)
    guard width.isFinite, height.isFinite, width > 0, height > 0 else {
        throw .damaged("it is \(width) × \(height) points large")
    }
    let dots = Double(dotsPerInch)
    // A point is 1/72 inch. Sizes beyond Int are stopped by clamping them to a size no limit allows.
    let columns = Int(min((width * dots / 72).rounded(.up), 1e9))
    let rows = Int(min((height * dots / 72).rounded(.up), 1e9))
    // Cairo's surface takes 4 bytes a pixel and the page 3.
    try limits.check(width: columns, height: rows, bytesPerPixel: 7)
    guard columns <= CairoSurface.maximumSide, rows <= CairoSurface.maximumSide else {
        throw .tooLarge(
            "\(columns) × \(rows) pixels at \(dotsPerInch) dpi",
            limit: "\(CairoSurface.maximumSide) pixels a side; choose a lower resolution")
    }
    let surface = try CairoSurface(
        rendering: page, width: columns, height: rows, x: 0, y: 0, scaleX: dots / 72,
        scaleY: dots / 72)
    var result = try surface.page(limits: limits).reduced(limits: limits)
    result.resolution = Resolution(x: dots)
    result.facts = PageFacts(origin: .rendered, size: .measured, edgesArePaper: true)
    return result
}
