@testable import Imaging

/// Pictures of sheets with known corners.
enum TestScene {
    /// A sheet with lines of text on a table, both with grain, in perspective.
    ///
    /// - Parameter bow: The bend of the sheet's upper and lower sides, as a fraction of its height.
    static func photograph(
        of quad: Quad?, width: Int = 640, height: Int = 480, table: Int = 90, paper: Int = 225,
        color: Bool = true, bow: Double = 0, seed: UInt64 = 1
    ) -> Raster {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func grain() -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 60) - 8
        }
        let map = quad.flatMap { Homography(from: $0, to: Quad(width: 210, height: 297)) }
        var raster = Raster(width: width, height: height, format: color ? .rgb8 : .gray8)
        let (stride, channels) = (raster.stride, raster.format.channels)
        raster.withMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    var p = map?.apply(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
                    if let flat = p {
                        p?.y += bow * 297 * 4 * flat.x / 210 * (1 - flat.x / 210)
                    }
                    var level = table + (x / 7 + y / 5) % 9
                    var isPaper = false
                    if let p, p.x >= 0, p.y >= 0, p.x < 210, p.y < 297 {
                        isPaper = true
                        let isInk =
                            p.x > 20 && p.x < 190 && p.y > 20 && p.y < 270 && Int(p.y) % 8 < 3
                            && Int(p.x) % 5 < 3
                        level = isInk ? 70 : paper - x / 30
                    }
                    for c in 0..<channels {
                        // The table is brown.
                        let value = level + grain() - (isPaper ? 0 : 15 * c)
                        bytes[y * stride + channels * x + c] = UInt8(clamping: value)
                    }
                }
            }
        }
        return raster
    }

    static func quad(_ corners: [(Double, Double)]) -> Quad {
        let p = corners.map { Point(x: $0.0, y: $0.1) }
        return Quad(topLeft: p[0], topRight: p[1], bottomRight: p[2], bottomLeft: p[3])
    }

    static let pages = [
        quad([(180, 60), (430, 60), (430, 420), (180, 420)]),
        quad([(200, 50), (450, 90), (410, 440), (150, 400)]),
        quad([(210, 80), (420, 70), (500, 430), (120, 410)]),
        quad([(120, 130), (520, 90), (540, 380), (90, 400)]),
    ]
}
