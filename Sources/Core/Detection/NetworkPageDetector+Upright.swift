import Imaging

extension NetworkPageDetector {
    /// The margins of the upright pictures around the page, as fractions of its width and height.
    private static let margins = [0.4, 0.2]
    /// The part of the page's bounding box by which the used pixels reach beyond it.
    private static let reach = 0.5
    /// The longer side in pixels to which these pixels are reduced first: twice what the network's
    /// picture can show.
    private static let sourceSide = 448
    /// The side of an upright picture in pixels.
    private static let side = 288
    /// The brightness of pixels that are farther away.
    static let beyond: UInt8 = 128

    /// Examines the page after turning it upright, so that it fills a square whatever its shape and
    /// position.
    ///
    /// In a picture with sides parallel to the frame's, a receipt across a corner would be small.
    ///
    /// - Parameter sighting: the page's supposed place, with the raw confidence of the first run.
    /// - Returns: the results; none if they show another object. Their raw confidence is the mean
    ///   of the first one and their own.
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
                .shifted(by: Point(x: margin * inner, y: margin * inner))
            guard let toSquare = Homography(from: place, to: square),
                let back = toSquare.inverse?.then(toFrame)
            else { return nil }
            let upright = picture.warped(
                by: toSquare, width: Self.side, height: Self.side, fill: Self.beyond)
            let seen = upright.withFrameView { view in
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

    /// The part of a frame around a page, reduced, and the map from its pixels to the frame's; nil
    /// when the page is out of view.
    ///
    /// Pixels beyond the frame repeat its rim: anything else would look like a page's edge.
    func surroundings(of quad: Quad, in frame: FrameView) -> (Raster, Homography)? {
        let whole = PixelRect(x: 0, y: 0, width: frame.width, height: frame.height)
        guard let page = quad.boundingBox(in: whole) else { return nil }
        let across = Int(Double(page.width) * Self.reach)
        let down = Int(Double(page.height) * Self.reach)
        let wide = PixelRect(
            x: page.x - across, y: page.y - down, width: page.width + 2 * across,
            height: page.height + 2 * down)
        guard let area = wide.intersection(whole) else { return nil }
        let scale = min(1, Double(Self.sourceSide) / Double(max(wide.width, wide.height)))
        func reduced(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
        let size = (width: reduced(area.width), height: reduced(area.height))
        let seen = Quad(width: size.width, height: size.height)
        guard let map = Homography(from: seen, to: area.quad) else { return nil }
        let (left, top) = (area.x - wide.x, area.y - wide.y)
        let (right, bottom) = (wide.width - area.width - left, wide.height - area.height - top)
        let before = Point(
            x: left > 0 ? Double(reduced(left)) : 0, y: top > 0 ? Double(reduced(top)) : 0)
        let picture = frame.part(area).copy()
            .resized(to: size.width, size.height, filter: .area)
            .grown(
                left: Int(before.x), top: Int(before.y), right: right > 0 ? reduced(right) : 0,
                bottom: bottom > 0 ? reduced(bottom) : 0)
        let unshift = Homography(from: seen.shifted(by: before), to: seen)
        return unshift?.then(map).map { (picture, $0) }
    }
}

extension PixelRect {
    fileprivate var quad: Quad {
        Quad(width: width, height: height).shifted(by: Point(x: Double(x), y: Double(y)))
    }
}

extension Raster {
    /// The raster with more pixels around it, each a copy of the nearest one.
    fileprivate func grown(left: Int, top: Int, right: Int, bottom: Int) -> Raster {
        guard max(left, top, right, bottom) > 0 else { return self }
        var result = Raster(
            width: left + width + right, height: top + height + bottom, format: format)
        let (pixel, stride) = (format.channels, result.stride)
        result.withMutableBytes { to in
            withBytes { from in
                for y in 0..<top + height + bottom {
                    let source = min(max(y - top, 0), height - 1) * self.stride
                    for x in 0..<left + width + right {
                        let place = source + min(max(x - left, 0), width - 1) * pixel
                        for c in 0..<pixel { to[y * stride + x * pixel + c] = from[place + c] }
                    }
                }
            }
        }
        return result
    }
}

extension Quad {
    func shifted(by way: Point) -> Quad {
        func shifted(_ point: Point) -> Point { Point(x: point.x + way.x, y: point.y + way.y) }
        return Quad(
            topLeft: shifted(topLeft), topRight: shifted(topRight),
            bottomRight: shifted(bottomRight), bottomLeft: shifted(bottomLeft))
    }
}
