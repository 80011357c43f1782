import Imaging

/// A sheet that was laid down between two pictures, found by what changed.
///
/// From one picture alone, the sheet below can be mistaken for the page: its outline is as good.
/// The earlier picture decides: the sides of the top sheet are new, and nothing beyond them
/// changed. This needs a camera that does not move, and a single new sheet; if anything else
/// happened, there is no result.
struct LaidSheet {
    /// Its corners in pixels.
    let quad: Quad
    /// Its sides, of which three or four are new.
    let sides: [SideNovelty.Side]

    /// How far from the hull of what changed the sheet's sides are looked for, in parts of the
    /// picture's longer side: its shadow changed, too.
    private static let reach = 0.025
    /// How far the sides in the picture may be from those of the change, which may be the sides of
    /// its shadow.
    private static let sharpness = 0.012
    /// The part of each side at which an edge must be seen; a paragraph's ragged side shows less.
    private static let support = 0.75
    /// The least part of the sheet that the changed region's hull and it have in common, as
    /// intersection over union.
    private static let overlap = 0.85
    /// A sheet that was pushed or removed leaves fewer new sides.
    private static let leastNewSides = 3

    /// The sheet that appeared between two pictures; nil if the change is not a sheet.
    init?(_ change: PictureChange) {
        guard let rough = Hull.quad(of: change.hull) else { return nil }
        // The edges of what was below are also in the difference, and may mislead.
        let clear = Self.sides(in: change.difference(), near: rough, within: Self.reach)
        for start in [clear, rough] {
            guard let start,
                let sheet = Self.sides(
                    in: change.pictures.now, near: start, within: Self.sharpness),
                sheet.isConvex, sheet.intersectionOverUnion(rough) >= Self.overlap
            else { continue }
            let found = SideNovelty.sides(of: sheet, in: change.pictures)
            guard found.count(where: { $0 == .new }) >= Self.leastNewSides else { continue }
            (quad, sides) = (sheet, found)
            return
        }
        return nil
    }

    /// The quad whose sides are on edges, no farther away than a fraction of the picture's longer
    /// side.
    private static func sides(
        in picture: Raster, near quad: Quad, within reach: Double
    ) -> Quad? {
        let reach = reach * Double(max(picture.width, picture.height))
        return picture.withFrameView {
            SideEdges(
                frame: $0, reach: reach, probes: min(12, Int(reach.rounded(.up))),
                leastSupport: support
            ).quad(near: quad)
        }
    }
}
