import Imaging

/// Distinguishes a scanner's lid from a bar printed on a page that fills the picture.
///
/// Lid along two neighboring sides is always believed. A single bar, or a header and a footer,
/// might be printed. So there, the sheet must either be tilted beside a narrow strip, or have a
/// known paper size while the picture has none.
struct LidEvidence {
    /// The picture's width in pixels.
    let width: Int
    /// The picture's height in pixels.
    let height: Int
    /// Dots per inch of the picture; nil when its scale is not known.
    let resolution: Double?

    /// A strip no deeper than this fraction of the picture may count as lid only if it is tilted.
    private static let narrow = 0.06

    /// True when the area outside `quad` may count as lid.
    func holds(for quad: Quad) -> Bool {
        let strips = Side.allCases.map { ($0, depths(of: $0, quad)) }
            .filter { max($0.1.0, $0.1.1) >= 1.5 }
        let isAcross = strips.contains { !$0.0.isDown }
        if isAcross, strips.contains(where: { $0.0.isDown }) { return true }
        let isAskew = strips.allSatisfy { side, ends in
            let whole = Double(side.isDown ? width : height)
            return (ends.0 - ends.1).magnitude >= 2 && max(ends.0, ends.1) <= Self.narrow * whole
        }
        return !strips.isEmpty && (isAskew || isOfKnownSize(quad))
    }

    /// The distances of both ends of a side from the picture's border, in pixels.
    private func depths(of side: Side, _ quad: Quad) -> (Double, Double) {
        let (width, height) = (Double(width), Double(height))
        return switch side {
        case .left: (quad.topLeft.x, quad.bottomLeft.x)
        case .top: (quad.topLeft.y, quad.topRight.y)
        case .right: (width - quad.topRight.x, width - quad.bottomRight.x)
        case .bottom: (height - quad.bottomLeft.y, height - quad.bottomRight.y)
        }
    }

    private func isOfKnownSize(_ quad: Quad) -> Bool {
        guard let resolution else { return false }
        let sides = quad.sides
        func size(_ width: Double, _ height: Double) -> PaperSize? {
            .matching(width: width / resolution * 25.4, height: height / resolution * 25.4)
        }
        // A picture with a known size shows a whole sheet, and would keep that size with a
        // millimeter less.
        return size(Double(width), Double(height)) == nil
            && size((sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2) != nil
    }
}
