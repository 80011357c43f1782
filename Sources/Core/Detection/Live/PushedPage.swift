import Imaging

/// A page that may be pushed, to be found by what is on it.
///
/// Its corners follow from its contents, whatever is below: on a stack, a search for its edges may
/// find those of another sheet. That requires a camera that does not move, and something on the
/// page.
///
///     let page = PushedPage(quad, in: before)
///     let quad = page?.place(in: now)
struct PushedPage: Sendable {
    private let page: Quad
    private let signature: PageSignature
    /// The page and its surroundings, in relief, each cell the mean of nine.
    private let surroundings: CellGrid
    /// For each of the blurs, the page as it was.
    private let fits: [AffineFit]

    /// Cells around the page on each side, and by which it may have been pushed: a quarter of its
    /// side.
    private static let margin = PageSignature.side / 4
    /// Cells at each side of the page that are left out, because its surroundings affect them.
    private static let rim = PageSignature.side / 8
    /// The correlation of its cells, each the mean of nine, above which the page may lie at a
    /// place; it falls as the page is turned.
    private static let roughLikeness: Float = 0.2
    /// The least correlation of the same page.
    ///
    /// The same page has 0.9 with the widest surroundings and 0.8 with none; another one has 0.6 or
    /// less.
    private static let sameLikeness: Float = 0.65
    /// How many fine cells on each side are blurred together, step by step: lines of print, which
    /// match each other easily, are blurred away at first.
    private static let blurs = [4, 1, 0]
    /// Steps with each; more would change the place by less than a tenth of a pixel.
    private static let steps = 4

    /// A page in a gray picture; nil if it has too little on it to be found again.
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

    /// Its corners in a later picture of the same size; nil if it is not certainly there as a
    /// whole, or was pushed farther than a quarter of its side or turned by more than a few
    /// degrees.
    func place(in picture: Raster) -> Quad? {
        guard let rough = roughPlace(in: picture),
            let exact = exactPlace(in: picture, from: rough),
            let now = PageSignature(of: exact, in: picture), now.isSurely(signature)
        else { return nil }
        return exact
    }

    /// Where its inner cells are found as a whole, to about a cell.
    private func roughPlace(in picture: Raster) -> Quad? {
        guard let new = Self.surroundings(of: page, in: picture) else { return nil }
        let (rim, margin) = (Self.rim, Self.margin)
        let search = BlockSearch(
            old: surroundings, new: new, block: PageSignature.side - 2 * rim, reach: margin,
            leastLikeness: Self.roughLikeness)
        guard let match = search.match(margin + rim, margin + rim) else { return nil }
        // A cell is two fine ones.
        let shift = AffineShift(
            across: SIMD3(2 * match.dx, 0, 0), down: SIMD3(2 * match.dy, 0, 0))
        return Self.moved(page, by: shift)
    }

    /// Where all of its cells agree best with their earlier state, to a fraction of a pixel.
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

    /// A page's corners when its contents have moved by this many fine cells; nil if they are not
    /// those of a page.
    ///
    /// Before perspective, something flat on the desk is shifted and turned the same everywhere.
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
