import Glibc
import Imaging

/// The picture at a place of a page, turned upright and enlarged, and sharpened as far as
/// requested.
///
/// A code of sufficient size is unreadable only because of blur and grain. Bars are the same along
/// their whole length, so averaging in that direction removes grain. Van Cittert's iteration
/// (Zeitschrift für Physik 69, 1931) removes blur: it adds the detail that a picture loses when it
/// is blurred again.
struct UprightPlace {
    /// The assumed blur of the page: the standard deviation of a Gaussian in pixels of the page,
    /// and the number of times that the lost detail is added.
    struct Blur {
        var deviation: Double
        var rounds: Int
    }

    /// The attempts at a place, the mildest first.
    static let blurs = [
        Blur(deviation: 0, rounds: 0), Blur(deviation: 0.9, rounds: 3),
        Blur(deviation: 1.8, rounds: 3), Blur(deviation: 1.8, rounds: 6),
    ]

    /// The maximum number of pixels in an enlarged place.
    private static let mostPixels = 1_500_000.0
    /// The minimum number of levels between ink and paper; less is grain.
    private static let leastContrast = 6
    /// The number of pixels along the bars that are averaged.
    private static let barReach = 4

    private let picture: Raster
    private let back: Homography
    private let origin: Point
    private let factor: Double
    private let isBars: Bool

    /// The place in the picture `gray`; nil if it shows only paper.
    init?(_ place: CodePlace, of gray: Raster) {
        let corners = place.corners
        guard let box = corners.boundingBox(in: gray.bounds) else { return nil }
        let cut = gray.cropped(to: box)
        let counts = cut.histogram
        let (ink, paper) = (Self.level(counts, 0.01), Self.level(counts, 0.95))
        guard paper - ink >= Self.leastContrast else { return nil }
        let area = place.width * place.height
        guard area.isFinite, area <= Self.mostPixels else { return nil }
        factor = area * 4 <= Self.mostPixels ? 2 : 1
        let size = (
            width: max(8, Int(place.width * factor)), height: max(8, Int(place.height * factor))
        )
        origin = Point(x: Double(box.x), y: Double(box.y))
        let shifted = Quad(
            topLeft: corners.topLeft.moved(by: origin),
            topRight: corners.topRight.moved(by: origin),
            bottomRight: corners.bottomRight.moved(by: origin),
            bottomLeft: corners.bottomLeft.moved(by: origin))
        guard let map = Homography(from: shifted, to: Quad(width: size.width, height: size.height)),
            let back = map.inverse
        else { return nil }
        self.back = back
        isBars = place.isBars
        // The levels are stretched before turning and enlarging, which round them. The area outside
        // the page is as light as its paper.
        picture = cut.stretched(from: ink, to: paper).warped(
            by: map, width: size.width, height: size.height, fill: 255)
    }

    /// The point of the page for a point in a picture of ``sharpened(_:)``.
    func original(of point: Point) -> Point {
        let point = back.apply(point)
        return Point(x: point.x + origin.x, y: point.y + origin.y)
    }

    /// The place with less blur, and levels from black to white.
    func sharpened(_ blur: Blur) -> Raster {
        guard blur.rounds > 0 else { return picture }
        var plane = Plane(picture)
        if isBars { plane.averageColumns(reach: Self.barReach) }
        let blurred = plane
        let taps = Plane.gaussian(deviation: blur.deviation * factor)
        for _ in 0..<blur.rounds { plane.add(blurred, minus: plane.filtered(taps)) }
        return plane.stretched()
    }

    /// The level below which a fraction of the pixels lies.
    private static func level(_ counts: [Int], _ share: Double) -> Int {
        let wanted = Int(Double(counts.reduce(0, +)) * share)
        var seen = 0
        return counts.firstIndex {
            seen += $0
            return seen > wanted
        } ?? 255
    }
}

extension Point {
    fileprivate func moved(by origin: Point) -> Point { Point(x: x - origin.x, y: y - origin.y) }
}

extension Raster {
    /// The gray picture with `ink` made black and `paper` white.
    fileprivate func stretched(from ink: Int, to paper: Int) -> Raster {
        let table = (0..<256).map { UInt8(min(max(0, ($0 - ink) * 255 / (paper - ink)), 255)) }
        var result = self
        let (width, height, stride) = (width, height, stride)
        result.withMutableBytes { bytes in
            for y in 0..<height {
                for x in y * stride..<y * stride + width { bytes[x] = table[Int(bytes[x])] }
            }
        }
        return result
    }
}
