import Imaging

/// A page that someone may have pushed, to be found by its contents.
///
/// The contents give the page's corners, whatever is below: on a stack, a search for edges may find
/// those of another sheet. This needs a camera that does not move, and a page that is not empty.
///
///     let page = PushedPage(quad, in: before)
///     let quad = page?.place(in: now)
struct PushedPage: Sendable {
    private let page: Quad
    private let signature: PageSignature
    /// The page and its surroundings, in relief, each cell the mean of nine.
    private let surroundings: CellGrid
    /// The fit to the old page for each of the blurs.
    private let fits: [AffineFit]

    /// The margin around the page in cells on each side, by which the page may have been pushed: a
    /// quarter of its side.
    private static let margin = PageSignature.side / 4
    /// The cells at each side of the page that are left out, because the page's surroundings affect
    /// them.
    private static let rim = PageSignature.side / 8
    /// The minimum correlation of the page's cells, each the mean of nine, at a possible place;
    /// turning the page lowers it.
    private static let roughLikeness: Float = 0.2
    /// The minimum correlation of the same page.
    ///
    /// The same page has 0.9 with the widest surroundings and 0.8 with none; other pages have 0.6
    /// or less.
    private static let sameLikeness: Float = 0.65
    /// The number of fine cells on each side that are blurred together, step by step: the first
    /// blur removes lines of print, which match each other easily.
    private static let blurs = [4, 1, 0]
    /// The steps for each blur; more steps would change the place by less than a tenth of a pixel.
    private static let steps = 4

    /// A page in a gray picture; nil if it has too little content to be found again.
    init?(_ page: Quad, in picture: Raster) {
        guard let signature = PageSignature(of: page, in: picture),
            let surroundings = Self.surroundings(of: page, in: picture),
            let relief = Self.relief(of: page, in: picture)
        else { return nil }
        let fits = Self.blurs.compactMap {
            AffineFit(of: relief.means(reach: $0), rim: 2 * Self.rim)
        }
        guard fits.count == Self.blurs.count else { return nil }
        (self.page, self.signature) = (page, signature)
        (self.surroundings, self.fits) = (surroundings, fits)
    }

    /// The page's corners in a later picture of the same size.
    ///
    /// Nil if the page is not certainly there as a whole, or was pushed farther than a quarter of
    /// its side or turned by more than a few degrees.
    func place(in picture: Raster) -> Quad? {
        guard let rough = roughPlace(in: picture),
            let exact = exactPlace(in: picture, from: rough),
            let now = PageSignature(of: exact, in: picture), now.isSurely(signature)
        else { return nil }
        return exact
    }

    /// The rough place of the page's inner cells as a whole, to about a cell.
    private func roughPlace(in picture: Raster) -> Quad? {
        guard let new = Self.surroundings(of: page, in: picture) else { return nil }
        let (rim, margin) = (Self.rim, Self.margin)
        let search = BlockSearch(
            old: surroundings, new: new, block: PageSignature.side - 2 * rim, reach: margin,
            leastLikeness: Self.roughLikeness)
        guard let match = search.match(margin + rim, margin + rim) else { return nil }
        // A cell has the width of two fine ones.
        let shift = AffineShift(
            across: SIMD3(2 * match.dx, 0, 0), down: SIMD3(2 * match.dy, 0, 0))
        return Self.moved(page, by: shift)
    }

    /// The place where all cells match the old page best, to a fraction of a pixel.
    private func exactPlace(in picture: Raster, from rough: Quad) -> Quad? {
        var quad = rough
        for (blur, fit) in zip(Self.blurs, fits) {
            var likeness: Float = 0
            for _ in 0..<Self.steps {
                guard let new = Self.relief(of: quad, in: picture) else { return nil }
                let step = fit.step(to: new.means(reach: blur))
                guard let next = Self.moved(quad, by: step.shift) else { return nil }
                (quad, likeness) = (next, step.likeness)
            }
            guard likeness >= Self.sameLikeness else { return nil }
        }
        return quad
    }

    private static func surroundings(of page: Quad, in picture: Raster) -> CellGrid? {
        PageCells(of: page, in: picture, side: PageSignature.side, margin: margin)?.coarse
            .relief(reach: PageSignature.reach).means(reach: 1)
    }

    private static func relief(of page: Quad, in picture: Raster) -> CellGrid? {
        PageCells(of: page, in: picture, side: PageSignature.side)?.fineGrid
            .relief(reach: PageSignature.fineReach)
    }

    /// A page's corners after its contents have moved by this many fine cells; nil if they form no
    /// page.
    ///
    /// Without perspective, all places of a flat page on the desk move and turn in the same way.
    private static func moved(_ quad: Quad, by shift: AffineShift) -> Quad? {
        let side = PageSignature.fineSide
        let cells = Quad(width: side, height: side)
        return Homography(from: cells, to: quad)?.apply(
            Quad(
                topLeft: shift.place(of: cells.topLeft, side: side),
                topRight: shift.place(of: cells.topRight, side: side),
                bottomRight: shift.place(of: cells.bottomRight, side: side),
                bottomLeft: shift.place(of: cells.bottomLeft, side: side)))
    }
}
