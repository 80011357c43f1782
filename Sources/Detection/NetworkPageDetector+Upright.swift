import Imaging

extension NetworkPageDetector {
    /// How far beyond the page the upright pictures reach, in parts of its width and height.
    private static let margins = [0.4, 0.2]
    /// How far beyond its bounding box pixels are taken for them.
    private static let reach = 0.5
    /// The longer side in pixels to which these are reduced first: so many as the network's picture can show twice over.
    private static let sourceSide = 448
    /// Width and height of an upright picture in pixels.
    private static let side = 288
    /// Brightness of what lies beyond the frame.
    private static let beyond: UInt8 = 128

    /// The page as it is seen when it is laid upright first, so that it fills a square whatever its shape and however it lies: of a receipt that lies across the corner of a frame,
    /// a picture with upright sides shows little.
    ///
    /// - Parameter sighting: where the page is thought to be, with the raw confidence of the first look.
    /// - Returns: what each look shows of it; none where it sees something else. Their raw confidence is the mean of the first look's and their own.
    func upright(
        _ sighting: Sighting, in frame: FrameView, _ network: PageNetwork
    ) -> [Sighting] {
        guard let (picture, toFrame) = surroundings(of: sighting.quad, in: frame),
            let toPicture = toFrame.inverse
        else { return [] }
        let place = toPicture.apply(sighting.quad)
        return Self.margins.compactMap { margin in
            let inner = Double(Self.side) / (1 + 2 * margin)
            let square = Quad(width: 1, height: 1).scaled(x: inner, y: inner)
                .shifted(by: margin * inner)
            guard let lay = Homography(from: place, to: square),
                let back = lay.inverse?.then(toFrame)
            else { return nil }
            let laid = picture.warped(
                by: lay, width: Self.side, height: Self.side, fill: Self.beyond)
            let seen = laid.withFrameView { view in
                sightings(in: network.look(at: view), view, network.weights)
            }
            func overlap(_ other: Sighting) -> Double {
                other.quad.intersectionOverUnion(square)
            }
            guard let best = seen.max(by: { overlap($0) < overlap($1) }),
                overlap(best) >= Self.agreement,
                let quad = Quad(ordering: back.apply(best.quad).corners)
            else { return nil }
            return sighting.with(quad: quad, raw: (sighting.raw + best.raw) / 2)
        }
    }

    /// The part of a frame about a page, reduced, and the map from its pixels to the frame's; nil when the page lies out of view.
    private func surroundings(of quad: Quad, in frame: FrameView) -> (Raster, Homography)? {
        let whole = PixelRect(x: 0, y: 0, width: frame.width, height: frame.height)
        guard let page = quad.boundingBox(in: whole) else { return nil }
        let across = Int(Double(page.width) * Self.reach)
        let down = Int(Double(page.height) * Self.reach)
        let wide = PixelRect(
            x: page.x - across, y: page.y - down, width: page.width + 2 * across,
            height: page.height + 2 * down)
        guard let area = wide.intersection(whole) else { return nil }
        let scale = min(1, Double(Self.sourceSide) / Double(max(area.width, area.height)))
        let width = max(1, Int(Double(area.width) * scale))
        let height = max(1, Int(Double(area.height) * scale))
        let corner = Point(x: Double(area.x), y: Double(area.y))
        let seen = Quad(
            topLeft: corner, topRight: Point(x: corner.x + Double(area.width), y: corner.y),
            bottomRight: Point(
                x: corner.x + Double(area.width), y: corner.y + Double(area.height)),
            bottomLeft: Point(x: corner.x, y: corner.y + Double(area.height)))
        guard let map = Homography(from: Quad(width: width, height: height), to: seen) else {
            return nil
        }
        return (frame.part(area).copy().resized(to: width, height, filter: .area), map)
    }
}

extension Quad {
    fileprivate func shifted(by distance: Double) -> Quad {
        func shifted(_ point: Point) -> Point {
            Point(x: point.x + distance, y: point.y + distance)
        }
        return Quad(
            topLeft: shifted(topLeft), topRight: shifted(topRight),
            bottomRight: shifted(bottomRight), bottomLeft: shifted(bottomLeft))
    }
}
