import Documents
import Imaging

/// A view of a page that Tesseract reads without its own rules: unchanged, or resized if the
/// letters are very large or small.
struct PlainView {
    /// The picture to read, whose stated resolution is the one at which usual print has letters of
    /// this size.
    let image: Raster
    /// The number of the page's pixels, across or down, for one pixel of the picture.
    private let factor: Double

    /// The stated resolution in dots per inch, from which Tesseract derives the gaps between
    /// columns.
    private static let resolution = 300.0
    /// The heights of easily readable words, with ascenders, in pixels.
    private static let heights = 20.0...60.0
    /// The height of other words after scaling, in pixels.
    private static let usualHeight = 36.0
    /// Enlarging more would show no more detail.
    private static let mostEnlarging = 3.0
    /// The maximum number of pixels in a view.
    private static let mostPixels = 16_000_000.0

    /// The view of a page, according to its earlier reading.
    init(of page: Raster, as text: PageText) {
        var scale = 1.0
        let height = text.words.map(\.box.height).sorted().middle
        if let height, !Self.heights.contains(height) {
            scale = min(Self.usualHeight / max(height, 1), Self.mostEnlarging)
        }
        let pixels = Double(page.width) * Double(page.height)
        scale = min(scale, max(1, (Self.mostPixels / pixels).squareRoot()))
        if scale * scale * pixels > 2 * Self.mostPixels {
            scale = (Self.mostPixels / pixels).squareRoot()
        }
        var view = page
        if scale != 1 {
            let gray = page.format == .gray8 ? page : page.converted(to: .gray8)
            view = gray.resized(
                to: max(1, Int(Double(page.width) * scale)),
                max(1, Int(Double(page.height) * scale)), filter: scale < 1 ? .area : .bilinear)
        }
        view.resolution = Self.resolution
        image = view
        factor = Double(page.width) / Double(view.width)
    }

    /// The text of the view, with its places on the page.
    func placed(_ text: PageText) -> PageText {
        factor == 1 ? text : text.placed(at: 0, 0, enlarged: factor)
    }
}

extension [Int] {
    /// The median of sorted numbers; nil for none.
    fileprivate var middle: Double? { isEmpty ? nil : Double(self[count / 2]) }
}
