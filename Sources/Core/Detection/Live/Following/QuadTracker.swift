public import Imaging

/// A page that is followed through the frames of a camera.
public struct TrackedPage: Hashable, Sendable {
    /// The page's corners in pixels of the frame, smoothed in time.
    public var quad: Quad
    /// The confidence of the search, 0…1, smoothed in time.
    public var confidence: Double
    /// A number that stays while the same page is followed, and grows with every other page.
    public var track: Int
    /// The number of frames in a row, with this one, in which the page was not detected; 0 when it
    /// was detected in this one.
    public var missed: Int

    /// A page seen in a frame.
    public init(quad: Quad, confidence: Double, track: Int = 1, missed: Int = 0) {
        self.quad = quad
        self.confidence = confidence
        self.track = track
        self.missed = missed
    }
}

/// Follows one page from frame to frame: smooths its corners, bridges gaps, and never mixes two
/// pages.
///
/// Every decision is relative to the sizes of the page and the frame, so the result does not depend
/// on the resolution. A still page is smoothed, and a moving one is followed immediately. A
/// detection that overlaps the followed page by less than half is another page. It counts as a
/// miss, and replaces the followed page after too many misses in a row.
///
/// If the picture is known to be still, jumping corners show that the search is unsure, for example
/// between the edges of two sheets in a stack. The detections then vote, and the corners move only
/// to a place with clearly more votes.
public struct QuadTracker: Sendable {
    /// The weight of a detection while the picture is still.
    public enum Trust: Hashable, Sendable {
        /// The weight of one look, times this factor.
        case vote(Double)
        /// The detection outweighs all others until something moves.
        case certain
    }

    /// The number of frames in a row for which a page may be missed and is still followed.
    public static let bridged = 2
    /// The minimum overlap with the followed page, as intersection over union, of the same page.
    private static let sameOverlap = 0.5
    /// A page that moves by this part of its diagonal is followed immediately.
    private static let moving = 0.02
    /// The weight of a new detection of a still page.
    private static let stillWeight = 0.4

    private var page: TrackedPage?
    private var width = 0
    private var height = 0
    private var tracks = 0
    private var poll = QuadPoll()

    /// A tracker that follows nothing yet.
    public init() {}

    /// The corners of the followed page in the previous frame; nil when none is followed.
    public var lastQuad: Quad? { page?.quad }

    /// Handles the detection in the next frame.
    ///
    /// Returns the followed page; nil for none.
    ///
    /// - Parameters:
    ///   - found: the detection; nil for none. A detection that is not a convex quadrilateral
    ///     counts as none.
    ///   - width: the frame's width in pixels; a change of size makes the tracker start over.
    ///   - height: the frame's height in pixels.
    ///   - isStill: true when the picture shows that nothing moves at the followed page; false when
    ///     something moves, or when this is unknown.
    ///   - isSettled: true when the page's corners are well known and stay while it is still.
    ///   - trust: the weight of the detection while the page is still.
    public mutating func update(
        _ found: DetectedPage?, width: Int, height: Int, isStill: Bool = false,
        isSettled: Bool = false, trust: Trust = .vote(1)
    ) -> TrackedPage? {
        if (width, height) != (self.width, self.height) {
            page = nil
            (self.width, self.height) = (width, height)
        }
        let found = found.flatMap { $0.quad.isConvex ? $0 : nil }
        guard var followed = page else {
            page = found.map { begin($0) }
            return page
        }
        if let found {
            let aligned = found.quad.turned(toward: followed.quad)
            if aligned.intersectionOverUnion(followed.quad) >= Self.sameOverlap {
                follow(
                    &followed, aligned, confidence: found.confidence, isStill: isStill,
                    isSettled: isSettled, trust: trust)
                page = followed
                return page
            }
        }
        followed.missed += 1
        page = followed.missed <= Self.bridged ? followed : found.map { begin($0) }
        return page
    }

    private mutating func begin(_ found: DetectedPage) -> TrackedPage {
        tracks += 1
        poll = QuadPoll()
        return TrackedPage(
            quad: found.quad, confidence: found.confidence, track: tracks, missed: 0)
    }

    private mutating func follow(
        _ page: inout TrackedPage, _ quad: Quad, confidence: Double, isStill: Bool,
        isSettled: Bool, trust: Trust
    ) {
        if isStill, isSettled {
            // Another detection could change nothing.
        } else if isStill {
            page.quad = poll.elected(after: quad, confidence, trust, from: page.quad)
        } else {
            poll = QuadPoll()
            let move = quad.drift(from: page.quad)
            let weight = min(1, Self.stillWeight + (1 - Self.stillWeight) * move / Self.moving)
            page.quad = page.quad.mixed(with: quad, weight: weight)
        }
        page.confidence += 0.5 * (confidence - page.confidence)
        page.missed = 0
    }
}

extension Quad {
    /// The farthest distance of a corner from its place in `earlier`, in parts of that quad's
    /// longer diagonal.
    public func drift(from earlier: Quad) -> Double {
        let far = zip(corners, earlier.corners).map { $0.distance(to: $1) }.max() ?? 0
        return earlier.diagonal > 0 ? far / earlier.diagonal : .infinity
    }

    /// True if a detected page is in the frame with all of its corners, at least half a pixel from
    /// the rim: a page that reaches the rim continues beyond it.
    ///
    /// The tip of one corner may be out of view if both of its sides extend well into the frame:
    /// they show where the corner is, and nothing is written there.
    ///
    /// - Parameters:
    ///   - width: the frame's width in pixels.
    ///   - height: the frame's height in pixels.
    public func isWhole(width: Int, height: Int) -> Bool {
        let (rim, tip, inner) = (0.5, -0.003 * diagonal, 0.02 * diagonal)
        /// A point's distances from the left, top, right and bottom rim, inward.
        func insets(_ point: Point) -> [Double] {
            [point.x, point.y, Double(width) - point.x, Double(height) - point.y]
        }
        let corners = corners.map(insets)
        let out = corners.indices.filter { corners[$0].contains { $0 < rim } }
        guard let corner = out.first else { return true }
        return out.count == 1
            && corners[corner].indices.allSatisfy { side in
                corners[corner][side] >= rim
                    || corners[corner][side] >= tip && corners[(corner + 1) % 4][side] >= inner
                        && corners[(corner + 3) % 4][side] >= inner
            }
    }

    /// The same quad, turned so that its corners are nearest to those of `other`, by one of the
    /// four turns allows.
    ///
    /// A detector names corners by their position, so a page that is turned past 45° gets new
    /// names.
    public func turned(toward other: Quad) -> Quad {
        let turns = (0..<4).map { first -> Quad in
            let p = corners
            return Quad(
                topLeft: p[first], topRight: p[(first + 1) % 4], bottomRight: p[(first + 2) % 4],
                bottomLeft: p[(first + 3) % 4])
        }
        func distance(_ quad: Quad) -> Double {
            zip(quad.corners, other.corners).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        }
        return turns.min { distance($0) < distance($1) } ?? self
    }

    /// A quad between this one (weight 0) and another (weight 1).
    func mixed(with other: Quad, weight: Double) -> Quad {
        func mix(_ a: Point, _ b: Point) -> Point {
            Point(x: a.x + weight * (b.x - a.x), y: a.y + weight * (b.y - a.y))
        }
        return Quad(
            topLeft: mix(topLeft, other.topLeft), topRight: mix(topRight, other.topRight),
            bottomRight: mix(bottomRight, other.bottomRight),
            bottomLeft: mix(bottomLeft, other.bottomLeft))
    }
}
