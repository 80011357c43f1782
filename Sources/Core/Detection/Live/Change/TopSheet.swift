import Imaging

/// The new top sheet of a stack, where the search saw the outline of the whole stack.
///
/// The sides of the sheets below look exactly as before, as far as the new sheet does not cover
/// them. So a side that did not change at all is not the new sheet's. The new sheet ends farther
/// in, at an edge that is new and runs from corner to corner, which print does not. This needs a
/// camera that does not move.
struct TopSheet {
    /// The sheet's corners in pixels.
    let quad: Quad

    /// The depth within the stack's outline at which the sheet's sides are looked for, as a part of
    /// the outline's shorter side.
    private static let depth = 0.12
    /// The reach and probes with which a found edge is followed to a fraction of a pixel.
    private static let (reach, probes) = (3.0, 6)
    /// A sheet whose corners are all nearer to the outline's, in parts of its diagonal, is the one
    /// that the search saw; the edges may have moved because the camera changed its focus.
    private static let leastMove = 0.01
    /// The shortest side of an outline, in pixels.
    private static let leastSide = 40.0

    /// The sheet inside the outline that the search saw; nil if no side of the outline is one of an
    /// earlier sheet, or if no new edges are found inside.
    init?(within outline: Quad, in pictures: PicturePair) {
        let corners = outline.corners
        guard let shortest = outline.sides.min(), shortest >= Self.leastSide else { return nil }
        let depth = Int(Self.depth * shortest)
        var lines = (0..<4).map { (corners[$0], corners[($0 + 1) % 4]) }
        var moved: [Int] = []
        for side in 0..<4 {
            let strip = SideStrip(lines[side].0, lines[side].1, depth: depth, in: pictures)
            guard strip.isUnchanged, let line = strip.newEdge() else { continue }
            lines[side] = line
            moved.append(side)
        }
        guard !moved.isEmpty, let rough = Hull.quad(lines) else { return nil }
        let sharp = pictures.now.withFrameView {
            SideEdges(frame: $0, reach: Self.reach, probes: Self.probes).lines(near: rough)
        }
        for side in moved { lines[side] = sharp[side] ?? lines[side] }
        guard let quad = Hull.quad(lines), quad.drift(from: outline) >= Self.leastMove else {
            return nil
        }
        let final = quad.corners
        for side in moved {
            let strip = SideStrip(final[side], final[(side + 1) % 4], depth: 0, in: pictures)
            guard strip.isNewToItsEnds else { return nil }
        }
        self.quad = quad
    }
}
