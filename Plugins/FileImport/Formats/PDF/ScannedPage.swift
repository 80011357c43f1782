import CPoppler
import CaptureKit

/// A page of a PDF that may be nothing but one scanned picture.
struct ScannedPage {
    let page: OpaquePointer
    let index: Int
    let pictures: PDFPictures
    let limits: ImportLimits

    /// How far the picture's edges may lie from the page's, as a part of the page's side.
    private static let edgeTolerance = 0.02

    /// The page's picture, turned as the page shows it; nil when the page is more or less than one picture that fills it.
    ///
    /// Whether it is, is seen and not guessed: the picture, reduced to coarse cells, must look like the rendered page in
    /// one of the eight ways it can lie. So invisible text is no hindrance, and a stamp over the picture is one.
    func extract(cancel: CancelFlag) throws(DecodeFault) -> DecodedPage? {
        var width = 0.0
        var height = 0.0
        poppler_page_get_size(page, &width, &height)
        guard width > 0, height > 0,
            let (identifier, area) = onlyPicture(width: width, height: height),
            let picture = pictures.onlyPicture(onPage: index), isAllowed(picture)
        else { return nil }
        try cancel.check()
        guard var pixels = try decode(picture, identifier: identifier) else { return nil }
        try cancel.check()

        let cells = CellGrid.size(
            width: area.width, height: area.height, picture: picture)
        let rendered = try CairoSurface(
            rendering: page, width: cells.columns * CellGrid.renderedPixels,
            height: cells.rows * CellGrid.renderedPixels, x: area.x, y: area.y,
            scaleX: Double(cells.columns * CellGrid.renderedPixels) / area.width,
            scaleY: Double(cells.rows * CellGrid.renderedPixels) / area.height)
        let shown = CellGrid(
            try rendered.page(limits: limits), columns: cells.columns, rows: cells.rows)
        guard let turn = try CellGrid.turn(of: pixels, matching: shown, limits: limits) else {
            return nil
        }
        pixels = try pixels.turned(turn, limits: limits)
        pixels.resolution = plausible(
            x: Double(pixels.width) * 72 / area.width, y: Double(pixels.height) * 72 / area.height)
        pixels.facts.size = .measured
        return pixels
    }

    /// A part of the page, in points.
    private struct Area {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    /// The only picture drawn, when it fills the page (`poppler_page_get_image_mapping`).
    private func onlyPicture(width: Double, height: Double) -> (identifier: Int32, area: Area)? {
        let list = poppler_page_get_image_mapping(page)
        defer { poppler_page_free_image_mapping(list) }
        guard g_list_length(list) == 1, let mapping = poppler_image_mapping_at(list, 0) else {
            return nil
        }
        let rectangle = mapping.pointee.area
        let area = Area(
            x: min(rectangle.x1, rectangle.x2), y: min(rectangle.y1, rectangle.y2),
            width: abs(rectangle.x2 - rectangle.x1), height: abs(rectangle.y2 - rectangle.y1))
        let slackX = width * Self.edgeTolerance
        let slackY = height * Self.edgeTolerance
        func fits(_ one: Double, _ other: Double) -> Bool {
            abs(one - width) <= slackX && abs(other - height) <= slackY
        }
        if fits(area.width, area.height), abs(area.x) <= slackX, abs(area.y) <= slackY {
            // Poppler rounds corners to whole points, which would show in the resolution.
            let isWhole =
                abs(area.x) <= 1 && abs(area.y) <= 1 && abs(area.x + area.width - width) <= 1
                && abs(area.y + area.height - height) <= 1
            return (
                mapping.pointee.image_id,
                isWhole ? Area(x: 0, y: 0, width: width, height: height) : area
            )
        }
        // On pages that are turned, or whose box does not begin at 0, poppler (22.12) gives the sides as they are before
        // the turn and a corner that is off. A picture of the page's size is supposed to fill it; the comparison with the
        // rendered page shows whether it does.
        guard fits(area.width, area.height) || fits(area.height, area.width) else { return nil }
        return (mapping.pointee.image_id, Area(x: 0, y: 0, width: width, height: height))
    }

    /// Pictures beyond the limits are left to the renderer, which draws them at a size that fits.
    private func isAllowed(_ picture: PDFPicture) -> Bool {
        let isSmallEnough =
            picture.width <= CairoSurface.maximumSide && picture.height <= CairoSurface.maximumSide
        do throws(DecodeFault) {
            try limits.check(width: picture.width, height: picture.height, bytesPerPixel: 9)
            return isSmallEnough
        } catch {
            return false
        }
    }

    /// The pixels as stored; nil when they can't be had, and rendering then shows what there is.
    ///
    /// A damaged JPEG is an error, for rendering would fill what it lacks with gray and say nothing.
    /// A JPEG is decoded by TurboJPEG and keeps its bytes; anything else comes from poppler, pixel by pixel
    /// (`poppler_page_get_image`).
    private func decode(_ picture: PDFPicture, identifier: Int32) throws(DecodeFault)
        -> DecodedPage?
    {
        do throws(DecodeFault) {
            if let bytes = picture.jpeg {
                let decoded = try decodeJPEG(
                    bytes.bytes, markers: JPEGMarkers(bytes.bytes), limits: limits)
                if decoded.width == picture.width, decoded.height == picture.height {
                    return decoded
                }
            }
            guard let surface = CairoSurface(taking: poppler_page_get_image(page, identifier)),
                surface.width == picture.width, surface.height == picture.height
            else { return nil }
            return try surface.page(limits: limits).reduced(limits: limits)
        } catch {
            if case .damaged = error { throw error }
            return nil
        }
    }
}
