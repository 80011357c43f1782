import Imaging

/// A sheet that someone put down between two pictures, found by the change.
///
/// In a single picture, the sheet below looks like the page: its outline is just as clear. The
/// earlier picture decides: the sides of the top sheet are new, and nothing beyond them changed.
/// This works for a camera that does not move and a single new sheet; otherwise there is no result.
struct LaidSheet {
    /// The sheet's corners in pixels.
    let quad: Quad
    /// The sheet's sides, most of which are new.
    let sides: [SideNovelty.Side]

    /// The distance from the hull of the change within which the sheet's sides are searched for,
    /// because its shadow changed too; as a part of the picture's longer side.
    private static let reach = 0.025
    /// The maximum distance between the sides in the picture and those of the change, which may
    /// belong to the shadow; as a part of the picture's longer side.
    private static let sharpness = 0.012
    /// The part of each side along which an edge must be visible; a paragraph's ragged side shows
    /// less.
    private static let support = 0.75
    /// The minimum overlap of the sheet and the changed region's hull, as intersection over union.
    private static let overlap = 0.85
    /// The sheet that appeared between two pictures; nil if the change is not a sheet.
    ///
    /// - Parameter leastNewSides: a sheet that was pushed or removed leaves fewer new sides.
    init?(_ change: PictureChange, leastNewSides: Int = 3) {
        guard let rough = Hull.quad(of: change.hull) else { return nil }
        // The difference also contains the edges of the things below, which may mislead.
        let clear = Self.sides(in: change.difference(), near: rough, within: Self.reach)
        for start in [clear, rough] {
            guard let start,
                let sheet = Self.sides(
                    in: change.pictures.now, near: start, within: Self.sharpness),
                sheet.isConvex, sheet.intersectionOverUnion(rough) >= Self.overlap
            else { continue }
            let found = SideNovelty.sides(of: sheet, in: change.pictures)
            guard found.count(where: { $0 == .new }) >= leastNewSides else { continue }
            (quad, sides) = (sheet, found)
            return
        }
        return nil
    }

    /// The quad with its sides on edges, at most a fraction of the picture's longer side away.
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
