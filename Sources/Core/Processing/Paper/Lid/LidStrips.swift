import Imaging

/// Finds a sheet with lid visible along only some sides of the picture; at the others, the paper
/// reaches the border.
///
/// Cutting off a part of the page is worse than leaving lid. So each edge must be clear, all of
/// them must form one rectangle, and ``LidEvidence`` must agree.
struct LidStrips {
    let levels: LevelMap
    /// The level of bright paper, 0…255.
    let paper: Int
    /// Dots per inch of `levels`; nil when the scale is not known.
    let resolution: Double?

    /// A sheet, with the levels on either side of each of its edges.
    struct Found {
        var quad: Quad
        /// The steps of the sides, clockwise from the top; nil at the picture's border.
        var sides: [EdgeRefiner.Step?]
    }

    /// The sides along which so much of the border is darker than the paper that lid may be
    /// visible.
    ///
    /// This is quick, and empty for ordinary pages that fill the picture.
    private var candidates: [Side] {
        Side.allCases.filter { side in
            let view = SideView(side: side, levels: levels)
            let dark = (0..<view.lines).count { paper - (view[$0, 1] + view[$0, 2]) / 2 > 4 }
            return Double(dark) >= 0.35 * Double(view.lines)
        }
    }

    /// The sheet; nil when no side has a clear edge.
    func sheet() -> Found? {
        var strips = candidates.compactMap { LidStrip($0, in: levels, paper: paper) }
        while !strips.isEmpty {
            let frame = Frame(strips, width: levels.width, height: levels.height)
            let steps = strips.map { $0.step(within: $0.side.range(of: frame.quad)) }
            guard steps.contains(where: { $0 == nil }) else {
                return accepted(frame, strips, steps)
            }
            strips = zip(strips, steps).filter { $0.1 != nil }.map(\.0)
        }
        return nil
    }

    private func accepted(
        _ frame: Frame, _ strips: [LidStrip], _ steps: [EdgeRefiner.Step?]
    ) -> Found? {
        let quad = frame.quad
        let evidence = LidEvidence(
            width: levels.width, height: levels.height, resolution: resolution)
        // Edges of one sheet seen straight on are tilted equally.
        guard strips.allSatisfy({ ($0.lean - frame.lean).magnitude <= 0.012 }), quad.isConvex,
            quad.area >= 0.1 * Double(levels.width * levels.height),
            evidence.holds(for: quad), reachesBorder(quad, strips, steps.compactMap(\.self))
        else { return nil }
        return Found(
            quad: quad,
            sides: [Side.top, .right, .bottom, .left].map { side in
                strips.firstIndex { $0.side == side }.flatMap { steps[$0] }
            })
    }

    /// True when there is paper at the border along each side without an edge, as far as the sheet
    /// reaches.
    ///
    /// A photographed page has a desk there, and edges that make no rectangle with the border.
    private func reachesBorder(
        _ quad: Quad, _ strips: [LidStrip], _ steps: [EdgeRefiner.Step]
    ) -> Bool {
        let unseen = Side.allCases.filter { side in !strips.contains { $0.side == side } }
        let middle = steps.map { ($0.lid + $0.paper) / 2 }.min() ?? paper
        return unseen.allSatisfy { side in
            let view = SideView(side: side, levels: levels)
            let range = side.range(of: quad)
            let lines = (0..<view.lines).filter { range.contains(Double($0) + 0.5) }
            let bright = lines.count { line in (1...4).contains { view[line, $0] > middle } }
            return Double(bright) >= 0.7 * Double(lines.count)
        }
    }
}

/// The rectangle that some edges make with the picture's borders.
private struct Frame {
    let quad: Quad
    /// The median tilt of the edges.
    let lean: Double

    init(_ strips: [LidStrip], width: Int, height: Int) {
        let leans = strips.map(\.lean).sorted()
        let lean = (leans[(leans.count - 1) / 2] + leans[leans.count / 2]) / 2
        let (width, height) = (Double(width), Double(height))
        func seen(_ side: Side) -> EdgeLine? { strips.first { $0.side == side }?.line }
        // A side without an edge is placed just outside the picture, so that it cuts nothing off.
        let top = seen(.top) ?? EdgeLine(offset: -max(0, lean * width), slope: lean)
        let bottom = seen(.bottom) ?? EdgeLine(offset: height - min(0, lean * width), slope: lean)
        let (upper, lower) = (max(0, top.across(at: 0)), min(height, bottom.across(at: 0)))
        let left =
            seen(.left)
            ?? EdgeLine(offset: -max(-lean * upper, -lean * lower), slope: -lean)
        let right =
            seen(.right)
            ?? EdgeLine(offset: width - min(-lean * upper, -lean * lower), slope: -lean)
        func corner(_ down: EdgeLine, _ across: EdgeLine) -> Point {
            EdgeLine.meeting(down: down, across: across)
        }
        self.lean = lean
        quad = Quad(
            topLeft: corner(left, top), topRight: corner(right, top),
            bottomRight: corner(right, bottom), bottomLeft: corner(left, bottom))
    }
}
