import Documents
import Imaging

/// A page for Tesseract to read without its own rules: unchanged, or resized if its letters are
/// very large or small.
struct PlainView {
    /// The picture to read, with the resolution at which print has letters of that size.
    let image: Raster
    /// How many of the page's pixels make one of the picture's.
    private let factor: Double

    /// The resolution that is claimed, in dots per inch: Tesseract derives the gaps between columns
    /// from it.
    private static let resolution = 300.0
    /// The heights of words, ascenders included, that are read well, in pixels.
    private static let heights = 20.0...60.0
    /// The height to which other words are scaled, in pixels.
    private static let usualHeight = 36.0
    /// More enlarging shows nothing more.
    private static let mostEnlarging = 3.0
    /// Pixels at most.
    private static let mostPixels = 16_000_000.0

    /// The view of a page that was read before.
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

    /// What was read in it, with its places on the page.
    func placed(_ text: PageText) -> PageText {
        factor == 1 ? text : text.placed(at: 0, 0, enlarged: factor)
    }
}

extension [Int] {
    /// The median of sorted numbers; nil for none.
    fileprivate var middle: Double? { isEmpty ? nil : Double(self[count / 2]) }
}
