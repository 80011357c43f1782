import Imaging

/// Moves the sides of a quad onto the steps of brightness in the picture at full size, to a
/// fraction of a pixel.
///
/// A side moves only when most of its places have a step in the same direction (``SideEdges``). It
/// stays where its edge is not straight, because the network's line is better there.
struct SideRefiner {
    let frame: FrameView
    /// The distance from a side within which its edge is searched for, as a part of the picture's
    /// longer side.
    var reach = 0.012

    /// The refined corners, on the outer edge of a border if the paper has one around its print.
    func refined(_ quad: Quad) -> Quad {
        let reach = reach * Double(max(frame.width, frame.height))
        let sharp = refined(quad, reach: reach)
        guard let outer = PaperBorder(frame: frame).found(around: sharp, rough: quad) else {
            return sharp
        }
        return refined(outer.quad, reach: min(reach, PaperBorder.reach * outer.width))
    }

    /// The corners with each side on its edge, where one is found within `reach` pixels.
    func refined(_ quad: Quad, reach: Double) -> Quad {
        let edges = SideEdges(frame: frame, reach: reach)
        let lines = edges.lines(near: quad)
        guard lines.contains(where: { $0 != nil }) else { return quad }
        let corners = quad.corners
        let sides = lines.enumerated().map { side, line in
            line ?? (corners[side], corners[(side + 1) % 4])
        }
        return edges.crossed(sides, near: quad)
    }
}
