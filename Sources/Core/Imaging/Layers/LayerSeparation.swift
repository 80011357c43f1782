/// Separates a page into ink and background, in several passes: a patch that turns out not to be
/// ink reveals more of its surroundings.
struct LayerSeparation {
    private let page: Raster
    private let gray: Raster
    private let resolution: Double
    private var ink: Ink
    /// 2 on ink, 1 close to it, 0 elsewhere, row after row.
    private var map: [UInt8] = []
    private(set) var background: Raster
    private(set) var palette = InkPalette()
    private var detail: DetailGrid

    /// Separates a page with 8 bits per sample.
    ///
    /// - Parameter resolution: dots per inch.
    init(of page: Raster, resolution: Double) throws(ImagingError) {
        self.page = page
        self.resolution = resolution
        gray = page.converted(to: .gray8)
        ink = try gray.ink(resolution: resolution)
        map = ink.map(reach: Self.reach(resolution))
        background = page.background(without: map, scale: resolution / min(100, resolution))
        detail = DetailGrid(gray, background, map, resolution: resolution)
        var settled: InkPalette?
        for _ in 0..<4 where settled == nil {
            settled = leaveOutPictures()
            if settled == nil { drawBackground(dots: 100) }
        }
        if !detail.isSmooth { drawBackground(dots: 200) }
        palette = settled ?? colors
    }

    /// True if the layers show everything on the page, in nearly the same colors.
    var isFaithful: Bool { detail.isSmooth && palette.isFaithful }

    /// Leaves out pictures and the ink inside them.
    ///
    /// - Returns: the colors of the ink if nothing was left out; nil otherwise.
    private mutating func leaveOutPictures() -> InkPalette? {
        guard !ink.leaveOut(detail: detail) else { return nil }
        let palette = colors
        let pictures = InkSeams(of: palette, in: page, gray: gray, map, resolution: resolution)
            .patches
        ink.leaveOut(pictures)
        return pictures.isEmpty ? palette : nil
    }

    private var colors: InkPalette {
        InkPalette(of: ink, in: page, gray: gray, resolution: resolution)
    }

    private mutating func drawBackground(dots: Double) {
        map = ink.map(reach: Self.reach(resolution))
        background = page.background(without: map, scale: resolution / min(dots, resolution))
        detail = DetailGrid(gray, background, map, resolution: resolution)
    }

    private static func reach(_ resolution: Double) -> Int { max(1, Int(resolution / 120)) }
}
