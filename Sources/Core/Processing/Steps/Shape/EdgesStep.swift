import Imaging

/// Removes the shadows of the paper's edges, and punch holes.
struct EdgesStep: ProcessingStep {
    static let holes = StepOptionKey(
        flag: "holes", default: true,
        help: "Whether punch holes are filled: two or more round ones along an edge.")

    static let declaration = StepDeclaration(
        name: "edges", title: "Clean the edges",
        help:
            "Removes dark strips along the edges, up to 8 mm deep, and punch holes. What extends further into the page stays.",
        done: "edges cleaned",
        options: [holes.option])

    private let settings: StepSettings

    init(_ settings: StepSettings) { self.settings = settings }

    func run(on page: StepInput) throws -> StepOutcome {
        guard let ink = InkMap(page.image) else {
            return .left(page.image, "unchanged: too small or too dark to tell paper from shadow")
        }
        let room = EdgeMargin(ink)
        let found = ink.components(deeperThan: max(40, Int(5 * ink.noise)))
        let shadows = found.components.filter { room.contains($0.box) }
        let round = found.components.filter {
            !room.contains($0.box) && room.isHole($0.box, area: $0.area)
        }
        let holes = settings[Self.holes] ? round.filter { room.hasPartner($0.box, in: round) } : []
        guard !shadows.isEmpty || !holes.isEmpty else {
            return .left(page.image, "unchanged: the edges are clean", ["shadows": 0, "holes": 0])
        }
        // The blurred rim of a shadow is removed with it.
        let runs = (shadows + holes).flatMap { found.runs[$0.runs] }
            .flatMap { $0.enlarged(from: (ink.width, ink.height), to: page.image, rim: 1.5) }
        let image = page.image.painted(over: runs, room: max(4, page.image.width / 120))
        let parts = [
            shadows.isEmpty ? nil : counted(shadows.count, "shadow") + " at the edges",
            holes.isEmpty ? nil : counted(holes.count, "punch hole"),
        ]
        return .changed(
            image, "removed " + parts.compactMap(\.self).joined(separator: " and "),
            ["shadows": Double(shadows.count), "holes": Double(holes.count)])
    }
}

extension InkComponents.Run {
    /// The rows of a larger picture for this run of a map, with a rim of this many of the map's
    /// pixels around it.
    fileprivate func enlarged(
        from map: (width: Int, height: Int), to image: Raster, rim: Double
    ) -> [InkComponents.Run] {
        let across = Double(image.width) / Double(map.width)
        let down = Double(image.height) / Double(map.height)
        let left = max(0, Int((Double(start) - rim) * across))
        let right = min(image.width, Int(((Double(end) + rim) * across).rounded(.up)))
        let top = max(0, Int((Double(y) - rim) * down))
        let bottom = min(image.height, Int(((Double(y + 1) + rim) * down).rounded(.up)))
        return (top..<max(top, bottom)).map { InkComponents.Run(y: $0, start: left, end: right) }
    }
}
