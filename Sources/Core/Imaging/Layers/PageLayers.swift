/// A page in layers: the ink as sharp stencils with one color each, and under them a smooth
/// background with a low resolution.
///
/// ITU-T T.44 calls this mixed raster content. Painted one over the other, the background first,
/// the layers look like the page and take a fraction of its bytes.
public struct PageLayers: Sendable {
    /// A color and its places.
    public struct Ink: Sendable {
        /// The color.
        public let color: InkColor
        /// Black where the color is; bilevel.
        public let stencil: Raster
        /// The stencil's place on the page's grid of ``PageLayers/width`` × ``PageLayers/height``.
        public let place: PixelRect
    }

    /// The columns of the inks' grid: those of the page, or others if the page is very coarse or
    /// very fine.
    public let width: Int
    /// Rows of that grid.
    public let height: Int
    /// The whole page without its ink; gray8 or rgb8.
    public let background: Raster
    /// The inks, at most eight, of which no two cover the same pixel; empty for a page without ink.
    public let inks: [Ink]

    /// The distance from a page's edge within which no ink is expected: a seventy-fifth of an inch,
    /// in pixels.
    static func rim(resolution: Double) -> Int { Int(resolution / 75) }
}

/// A color of an ink, in sRGB.
public struct InkColor: Hashable, Sendable {
    /// Red, 0…255.
    public var red: UInt8
    /// Green, 0…255.
    public var green: UInt8
    /// Blue, 0…255.
    public var blue: UInt8
}

extension Raster {
    /// The page in layers; nil when the page has detail that the layers would lose, such as a
    /// photograph or pale pencil.
    ///
    /// Ink is whatever stands out darkly and sharply from its surroundings in one color; see
    /// ``Raster/ink(resolution:)``. The rest is the background, at 100 dpi, or at 200 dpi where
    /// detail would be lost otherwise (``DetailGrid``). Stencils have the page's own resolution
    /// from 200 to 600 dpi. A coarser page's stencils have twice its resolution, so that letters
    /// keep their shape without grays, and a finer page's have 600 dpi.
    ///
    /// - Parameter resolution: dots per inch.
    /// - Throws: `libraryFailed` when memory runs out.
    public func layers(resolution: Double) throws(ImagingError) -> PageLayers? {
        let page = onInkGrid(resolution)
        let dpi = resolution * Double(page.width) / Double(width)
        let parts = try LayerSeparation(of: page, resolution: dpi)
        guard parts.isFaithful else { return nil }
        return PageLayers(
            width: page.width, height: page.height, background: parts.background,
            inks: parts.palette.inks())
    }

    /// The picture with 8 bits per sample, on the grid of its stencils.
    private func onInkGrid(_ resolution: Double) -> Raster {
        let page = converted(to: format.channels == 3 ? .rgb8 : .gray8)
        let longest = max(width, height)
        if resolution < 200, longest <= 3000 {
            return page.resized(to: 2 * width, 2 * height, filter: .lanczos3)
        }
        guard resolution > 600 else { return page }
        func scaled(_ side: Int) -> Int { max(1, Int(Double(side) * 600 / resolution)) }
        return page.resized(to: scaled(width), scaled(height), filter: .area)
    }
}
