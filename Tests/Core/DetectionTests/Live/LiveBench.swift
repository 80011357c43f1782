@testable import Detection
@testable import Imaging

/// A generator whose numbers are the same in every run (SplitMix64).
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// An artificial desk with a page of artificial print.
struct Desk {
    /// The number of the page, each with its own print; nil for an empty desk.
    var page: Int?
    /// The corners of the page.
    var quad: Quad = Desk.place
    /// The brightness of the light; 1 is plenty.
    var light = 1.0
    /// The fraction by which the right edge is darker than the left edge, 0…1.
    var shade = 0.0
    /// The strength of the noise in levels.
    var noise = 0
    /// The columns of the picture that a dark hand covers.
    var hand: Range<Int> = 0..<0
    var seed: UInt64 = 1

    static let width = 480
    static let height = 360
    static let place = Quad(
        topLeft: Point(x: 130, y: 30), topRight: Point(x: 346, y: 34),
        bottomRight: Point(x: 352, y: 334), bottomLeft: Point(x: 126, y: 330))

    /// The picture of the desk.
    func luma() -> Raster {
        var dice = Dice(seed)
        let map = Homography(from: quad, to: Quad(width: 70, height: 100))!
        let print = page.map(Self.print)
        var picture = Raster(width: Self.width, height: Self.height, format: .gray8)
        let stride = picture.stride
        picture.withMutableBytes { bytes in
            for y in 0..<Self.height {
                for x in 0..<Self.width {
                    var level = 70.0
                    if let print {
                        // Four samples per pixel, so that edges may be between pixels.
                        var sum = 0.0
                        for (dx, dy) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
                            let p = map.apply(Point(x: Double(x) + dx, y: Double(y) + dy))
                            if p.x < 0 || p.y < 0 || p.x >= 70 || p.y >= 100 {
                                sum += 70
                            } else {
                                sum += print[Int(p.y) * 70 + Int(p.x)] ? 60 : 215
                            }
                        }
                        level = sum / 4
                    }
                    if hand.contains(x) && y > 60 { level = 100 }
                    level *= light * (1 - shade * Double(x) / Double(Self.width))
                    let grain = noise > 0 ? Int.random(in: -noise...noise, using: &dice) : 0
                    bytes[y * stride + x] = UInt8(clamping: Int(level) + grain)
                }
            }
        }
        return picture
    }

    /// The page's print, lines of words that differ from page to page: 70 × 100 cells, true for
    /// ink.
    static func print(_ number: Int) -> [Bool] {
        var dice = Dice(UInt64(number) &* 7919)
        var ink = [Bool](repeating: false, count: 70 * 100)
        for line in Swift.stride(from: 8, to: 92, by: 4) {
            var x = 6
            // A paragraph ends here and there.
            let end =
                Int.random(in: 0..<4, using: &dice) == 0
                ? Int.random(in: 15..<60, using: &dice) : 64
            while x < end {
                let word = Int.random(in: 2...8, using: &dice)
                for column in x..<min(end, x + word) {
                    ink[line * 70 + column] = Bool.random(using: &dice)
                    ink[(line + 1) * 70 + column] = Bool.random(using: &dice)
                }
                x += word + Int.random(in: 1...2, using: &dice)
            }
        }
        return ink
    }

    /// The signature of the visible page; nil if there is none.
    func signature(_ seen: Quad? = nil) -> PageSignature {
        PageSignature(of: seen ?? quad, in: luma())!
    }
}

extension Quad {
    /// The quad, moved by `dx` and `dy`.
    func moved(_ dx: Double, _ dy: Double) -> Quad {
        func moved(_ p: Point) -> Point { Point(x: p.x + dx, y: p.y + dy) }
        return Quad(
            topLeft: moved(topLeft), topRight: moved(topRight), bottomRight: moved(bottomRight),
            bottomLeft: moved(bottomLeft))
    }

    /// The quad with corners that are wrong by at most `most` pixels.
    func shaken(_ most: Double, _ dice: inout Dice) -> Quad {
        func shaken(_ p: Point) -> Point {
            Point(
                x: p.x + Double.random(in: -most...most, using: &dice),
                y: p.y + Double.random(in: -most...most, using: &dice))
        }
        return Quad(
            topLeft: shaken(topLeft), topRight: shaken(topRight),
            bottomRight: shaken(bottomRight), bottomLeft: shaken(bottomLeft))
    }

    /// The same page turned by a quarter: its former top left corner is now its top right corner.
    var turned: Quad {
        Quad(
            topLeft: bottomLeft, topRight: topLeft, bottomRight: topRight, bottomLeft: bottomRight)
    }
}
