import Imaging

/// A page that was pushed between two pictures, found by what is on it.
///
/// Its corners are where its contents have taken them, whatever lies below: who looks for its edges on a pile may take those of another sheet. That asks for a camera that does not move,
/// and for something on the page.
struct PushedPage {
    /// Its corners in pixels of the later picture.
    let quad: Quad

    /// Cells that lie about the page on each side, and by which it may have been pushed: a quarter of its side.
    private static let margin = PageSignature.side / 4
    /// Cells at each side of the page that are left out: what lies about it shows in their relief.
    private static let rim = PageSignature.side / 8
    /// The correlation of its cells, each the mean of nine, above which the page may lie at a place; it falls as the page is turned.
    private static let roughLikeness: Float = 0.2
    /// The correlation from which they are the same page's: of the same it is 0.9 with the widest surroundings and 0.8 with none, of another one 0.6 and less.
    private static let sameLikeness: Float = 0.65
    /// Fine cells on each side of one that are looked at together, one after the other: lines of print, which lie well on each other, fall out at first.
    private static let blurs = [4, 1, 0]
    /// Steps with each; further ones change the place by hardly a tenth of a pixel.
    private static let steps = 4

    /// The page in the later picture; nil where it does not surely lie there as a whole, or was pushed farther than a quarter of its side or turned by more than some degrees.
    ///
    /// - Parameters:
    ///   - page: where it lay in the earlier picture.
    ///   - pictures: both pictures.
    init?(_ page: Quad, in pictures: PicturePair) {
        guard let before = PageSignature(of: page, in: pictures.before),
            let rough = Self.rough(page, in: pictures),
            let exact = Self.exact(page, from: rough, in: pictures),
            let now = PageSignature(of: exact, in: pictures.now), now.isSurely(before)
        else { return nil }
        quad = exact
    }

    /// Where its inner cells are found again as a whole, to about a cell.
    private static func rough(_ page: Quad, in pictures: PicturePair) -> Quad? {
        let side = PageSignature.side
        func relief(_ picture: Raster) -> CellGrid? {
            PageCells(of: page, in: picture, side: side, margin: margin)?.coarse
                .relief(reach: PageSignature.reach).means(reach: 1)
        }
        guard let old = relief(pictures.before), let new = relief(pictures.now) else { return nil }
        let search = BlockSearch(
            old: old, new: new, block: side - 2 * rim, reach: margin, leastLikeness: roughLikeness)
        guard let match = search.match(margin + rim, margin + rim) else { return nil }
        let shift = AffineShift(
            across: SIMD3(2 * match.dx, 0, 0), down: SIMD3(2 * match.dy, 0, 0))
        return moved(page, by: shift)
    }

    /// Where all of its cells agree best with what they were, to parts of a pixel.
    private static func exact(_ page: Quad, from rough: Quad, in pictures: PicturePair) -> Quad? {
        func relief(_ quad: Quad, _ picture: Raster, blur: Int) -> CellGrid? {
            PageCells(of: quad, in: picture, side: PageSignature.side)?.fineGrid
                .relief(reach: PageSignature.fineReach).means(reach: blur)
        }
        var quad = rough
        for blur in blurs {
            guard let old = relief(page, pictures.before, blur: blur),
                let fit = AffineFit(of: old, rim: 2 * rim)
            else { return nil }
            var likeness: Float = 0
            for _ in 0..<steps {
                guard let new = relief(quad, pictures.now, blur: blur) else { return nil }
                let step = fit.step(to: new)
                guard let next = moved(quad, by: step.shift) else { return nil }
                (quad, likeness) = (next, step.likeness)
            }
            guard likeness >= sameLikeness else { return nil }
        }
        return quad
    }

    /// A page's corners when its contents lie elsewhere by so many fine cells; nil where they are those of no page.
    ///
    /// What lies flat on the desk is shifted and turned alike all over, before perspective.
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
