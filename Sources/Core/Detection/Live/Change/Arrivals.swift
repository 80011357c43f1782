public import Imaging

/// Finds a thing of a known shape that someone put down, by the changes in the picture.
///
/// A search in one picture may be unsure of a card on a colorful mat, or see several cards in a fan
/// as one. The camera saw the place earlier, so the new thing there is the card. This needs a
/// camera that does not move, and a thing that nothing covers.
///
///     var arrivals = Arrivals(shapes: NetworkPageDetector.cardShapes)
///     let card = arrivals.look(luma)
public struct Arrivals: Sendable {
    /// A picture from a still period, in which nothing moved, and the finds of that period.
    private struct View: Sendable {
        var picture: Raster
        var found: Quad?
    }

    private let shapes: ExpectedShapes
    private let detector: NetworkPageDetector
    /// The picture of the last look.
    private var last: Raster?
    /// The number of looks for which nothing has moved.
    private var looks = 0
    /// The last two pictures kept from the current still period, half a second apart; the older one
    /// is compared later, because the newer one may show a hand that approaches slowly.
    private var newer: Raster?
    private var older: Raster?
    /// Earlier still periods, the latest first.
    private var views: [View] = []
    /// The sheet that was found in the current still period.
    private var found: Quad?

    /// The part of the picture that changes from look to look while nothing moves.
    private static let still = 0.002
    /// At most this many earlier pictures are compared: if a hand only passed by, nothing is new
    /// since the latest one.
    private static let most = 3
    /// The number of looks from one kept picture to the next: half a second.
    private static let interval = 6
    /// The looks of a still period at which something new is searched for; at the first ones, a
    /// hand may still be in the picture.
    private static let attempts = 1...4
    /// At least this many of a thing's sides must be new; the others may coincide with sides of the
    /// thing below it.
    private static let leastNewSides = 2
    /// The minimum overlap, as intersection over union, of the thing with the outline of the
    /// change, which includes its shadow.
    private static let overlap = 0.7

    /// - Parameter shapes: the possible shapes, each as the longer side over the shorter; if empty,
    ///   nothing is ever found.
    public init(shapes: [Double]) {
        self.shapes = ExpectedShapes(shapes: shapes)
        var detector = NetworkPageDetector()
        detector.shapes = shapes
        self.detector = detector
    }

    /// Examines the next picture.
    ///
    /// - Parameter picture: a gray picture.
    /// - Returns: the corners of the thing put down last, in pixels, until something moves; nil if
    ///   something moves, or if nothing of a known shape was put down.
    public mutating func look(_ picture: Raster) -> Quad? {
        guard !shapes.shapes.isEmpty else { return nil }
        defer { last = picture }
        guard let last, let pictures = PicturePair(before: last, now: picture),
            PictureChange(pictures).share < Self.still
        else {
            if let view = older ?? newer {
                views = [View(picture: view, found: found)] + views.prefix(Self.most - 1)
            }
            (older, newer, found, looks) = (nil, nil, nil, 0)
            return nil
        }
        looks += 1
        if looks <= 2 { newer = picture }
        if looks % Self.interval == 0 { (older, newer) = (newer, picture) }
        if found == nil, Self.attempts.contains(looks) {
            for view in views {
                found = thing(laidSince: view, in: picture)
                if found != nil { break }
            }
        }
        return found
    }

    /// The thing that is in the later picture, but not in the earlier one, on its edges; if nothing
    /// changed, it is the one found earlier.
    private func thing(laidSince view: View, in picture: Raster) -> Quad? {
        guard let pictures = PicturePair(before: view.picture, now: picture) else { return nil }
        let change = PictureChange(pictures)
        guard change.share >= Self.still else { return view.found }
        guard let rough = Hull.quad(of: change.hull) else { return nil }
        let sheet = LaidSheet(change, leastNewSides: Self.leastNewSides)?.quad
        let starts = [sheet, rough].compactMap(\.self)
        let framed = picture.withFrameView {
            detector.outermost(of: detector.shapes, near: starts, in: $0)?.quad
        }
        var best: (quad: Quad, newSides: Int)?
        for quad in [sheet, framed].compactMap(\.self)
        where shapes.misfit(of: quad, width: picture.width, height: picture.height) != nil
            && quad.intersectionOverUnion(rough) >= Self.overlap
        {
            // A frame may reach to an edge of a thing below, which is not new.
            let newSides = SideNovelty.sides(of: quad, in: pictures).count { $0 == .new }
            if newSides >= Self.leastNewSides, newSides > best?.newSides ?? 0 {
                best = (quad, newSides)
            }
        }
        return best?.quad
    }
}
