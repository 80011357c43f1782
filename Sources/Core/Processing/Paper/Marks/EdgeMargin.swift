import Imaging

/// The margin along the edges where scanners see shadows, and the marks in it.
struct EdgeMargin {
    private let ink: InkMap
    private let reach: Int

    init(_ ink: InkMap) {
        self.ink = ink
        reach = Int(ink.pixels(8))
    }

    /// True for a mark that touches an edge and stays near it: the shadow of the paper's edge, or
    /// the lid.
    func contains(_ box: PixelRect) -> Bool {
        let touch = Int(ink.pixels(0.6)) + 1
        return box.x <= touch && box.width <= reach
            || box.y <= touch && box.height <= reach
            || box.x + box.width >= ink.width - touch && box.width <= reach
            || box.y + box.height >= ink.height - touch && box.height <= reach
    }

    /// True for a patch of `area` pixels that is a punch hole: round, filled, 4…8.5 mm wide, and
    /// near an edge.
    func isHole(_ box: PixelRect, area: Int) -> Bool {
        let (width, height) = (Double(box.width), Double(box.height))
        guard width >= ink.pixels(4), width <= ink.pixels(8.5),
            (0.85...1.18).contains(width / height)
        else { return false }
        let fill = Double(area) / (width * height)
        let near = ink.pixels(20)
        let (x, y) = (Double(box.x) + width / 2, Double(box.y) + height / 2)
        let isNear =
            x < near || y < near || x > Double(ink.width) - near || y > Double(ink.height) - near
        return isNear && (0.68...0.88).contains(fill)
    }

    /// True when another hole is at the same distance from an edge, as a hole punch makes them.
    func hasPartner(_ box: PixelRect, in holes: [InkComponents.Component]) -> Bool {
        let (x, y) = (box.x + box.width / 2, box.y + box.height / 2)
        let slack = Int(ink.pixels(2.5))
        let apart = Int(ink.pixels(15))
        return holes.contains { other in
            let dx = (other.box.x + other.box.width / 2 - x).magnitude
            let dy = (other.box.y + other.box.height / 2 - y).magnitude
            return dx <= slack && dy >= apart || dy <= slack && dx >= apart
        }
    }
}
