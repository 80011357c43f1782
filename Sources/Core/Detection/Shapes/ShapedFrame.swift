import Glibc
import Imaging

/// The frame of a requested shape among the nested frames of a card: the outermost one that the
/// picture supports.
struct ShapedFrame {
    /// The requested shapes, as the long side over the short one.
    let shapes: [Double]
    /// The width and height of the whole picture, which determine the perspective.
    let width: Int
    let height: Int
    /// The area in pixels above which a frame gains from its size.
    let area: Double

    /// A quad with its support; more is better.
    struct Choice {
        var quad: Quad
        var score: Double
        /// The part of each side's places, 0…1, at which the picture has a step.
        var supports: [Double]
    }

    /// The penalty for a shape with the maximum deviation.
    private static let misshape = 0.12
    /// The gain for twice the area; 1 is the score of four fully supported sides.
    private static let larger = 0.3
    /// The part of an edge's places that must have a step for the edge to count; with all of them
    /// it counts fully.
    private static let faint = 0.7
    /// The support for a side where the network placed it.
    private static let trust = 0.75
    /// The widest border, in pixels of the upright picture; the next two values are the penalties
    /// for sides whose moves differ by this much, and for a side that moved by twice as much.
    private static let widest = 24.0
    private static let unlike = 0.25
    private static let remote = 0.2
    /// The maximum that size can add to the support of the sides: a quad with so much less support
    /// can't win.
    private static let reach = 0.9

    /// The best frame near a rectangle.
    ///
    /// - Parameters:
    ///   - picture: the rectangle turned upright, as ``LaidSides`` needs it.
    ///   - back: the map from its pixels to the whole picture's.
    /// - Returns: the corners in pixels of the whole picture; nil where no four edges have the
    ///   shape.
    func best(in picture: Raster, back: Homography) -> Choice? {
        let sides = LaidSides(picture).edges
        let expected = ExpectedShapes(shapes: shapes)
        var best: Choice?
        for top in sides[0] {
            for right in sides[1] {
                for bottom in sides[2] {
                    for left in sides[3] {
                        let edges = [top, right, bottom, left]
                        let seen = Self.evidence(of: edges) - Self.cost(of: edges)
                        guard seen + Self.reach > best?.score ?? -.infinity,
                            let laid = LaidSides.quad(edges),
                            case let quad = back.apply(laid),
                            let off = expected.misfit(of: quad, width: width, height: height)
                        else { continue }
                        let size = Self.larger * log2(quad.area / area)
                        let score = seen + size - Self.misshape * off * off
                        if score > best?.score ?? -.infinity {
                            best = Choice(
                                quad: quad, score: score, supports: edges.map(\.support))
                        }
                    }
                }
            }
        }
        return best
    }

    /// The support for the edges, 0…1: the average, and the weakest.
    private static func evidence(of edges: [LaidSides.Edge]) -> Double {
        var (sum, least) = (0.0, 1.0)
        for edge in edges {
            let seen = max((edge.support - faint) / (1 - faint), edge.isSide ? trust : 0)
            sum += seen
            least = min(least, seen)
        }
        return (sum / Double(edges.count) + least) / 2
    }

    /// The penalty for edges away from the rectangle's sides: for unequal moves, or long ones.
    private static func cost(of edges: [LaidSides.Edge]) -> Double {
        let count = Double(edges.count)
        let mean = edges.reduce(0) { $0 + $1.outward } / count
        let variance = edges.reduce(0) { $0 + ($1.outward - mean) * ($1.outward - mean) } / count
        let far = edges.reduce(0) { $0 + max(0, $1.outward.magnitude - widest) }
        return (unlike * variance.squareRoot() + remote * far) / widest
    }
}
