import CaptureKit

/// Dots per inch at which a page is drawn.
struct PDFResolution: Equatable {
    var x: Double
    var y: Double
    /// The reason why the resolution is lower than requested, as a problem of the page; nil if it
    /// is not.
    var reduction: String?

    /// The maximum number of pixels to draw, so that a page fits in memory with everything made
    /// from it.
    private static let mostPixels = 250_000_000

    /// The pixels that a page takes.
    func pixels(of page: PDFPage) -> (columns: Int, rows: Int) {
        (Self.count(page.width * x / 72), Self.count(page.height * y / 72))
    }

    /// A partial pixel counts as one, except for rounding errors; lengths beyond Int become one
    /// that no limit allows.
    private static func count(_ length: Double) -> Int {
        max(1, Int(min((length - 0.01).rounded(.up), 1e9)))
    }

    /// The resolution itself, or the highest one at which the page fits in memory.
    func held(of page: PDFPage, limits: ImportLimits) -> PDFResolution {
        let most = min(Self.mostPixels, limits.maximumPixels, limits.maximumDecodedBytes / 4)
        let wide = page.width * x / 72
        let high = page.height * y / 72
        let side = Double(limits.maximumSide)
        let factor = min(1, side / wide, side / high, (Double(most) / (wide * high)).squareRoot())
        guard factor < 1 else { return self }
        // A little less, so that rounding up does not go beyond the limit again.
        var held = PDFResolution(x: x * factor * 0.999, y: y * factor * 0.999)
        let size = "\(Int(page.width.rounded())) × \(Int(page.height.rounded())) points"
        held.reduction =
            "The page measures \(size) and was rendered at \(shown(held.y)) instead of \(shown(y)) dpi."
        return held
    }

    private func shown(_ value: Double) -> String {
        value >= 10 ? "\(Int(value.rounded()))" : "\((value * 100).rounded() / 100)"
    }
}
