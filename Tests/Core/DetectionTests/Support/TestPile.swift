@testable import Imaging

/// Draws sheets that lie on each other: white with print, thin dark rims, and the same grain in
/// every picture.
struct TestPile {
    /// A sheet with its own print.
    struct Sheet {
        var quad: Quad
        var print: Int
    }

    static let large = TestScene.quad([(170, 40), (450, 60), (440, 440), (150, 430)])
    static let small = TestScene.quad([(200, 95), (420, 80), (425, 380), (205, 395)])

    /// The sheets from the lowest to the top one.
    var sheets: [Sheet]
    /// The brightness of the picture, as a factor.
    var exposure = 1.0
    /// The maximum change of a pixel by grain, in levels.
    var grain = 4
    /// The seed of the grain; another seed gives another picture of the same sheets.
    var seed: UInt64 = 1

    init(_ sheets: [Sheet], exposure: Double = 1, seed: UInt64 = 1) {
        (self.sheets, self.exposure, self.seed) = (sheets, exposure, seed)
    }

    /// Draws the picture, 640 × 480 and gray.
    func picture() -> Raster {
        var generator = SeededGenerator(seed: seed)
        let laid = sheets.compactMap { sheet in
            Homography(from: sheet.quad, to: Quad(width: 210, height: 297)).map {
                ($0, sheet.print)
            }
        }
        var raster = Raster(width: 640, height: 480, format: .gray8)
        let stride = raster.stride
        raster.withMutableBytes { bytes in
            for y in 0..<480 {
                for x in 0..<640 {
                    var level = 95 + (x / 7 + y / 5) % 9
                    for (map, print) in laid {
                        let p = map.apply(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
                        if let inside = Self.level(p, print) { level = inside }
                    }
                    let grain = Int(generator.next() % UInt64(2 * grain + 1)) - grain
                    bytes[y * stride + x] = UInt8(
                        clamping: Int(Double(level) * exposure) + grain)
                }
            }
        }
        return raster
    }

    /// The brightness at a place of a sheet of 210 × 297; nil outside the sheet.
    private static func level(_ p: Point, _ print: Int) -> Int? {
        let rim = 1.2
        guard p.x > -rim, p.y > -rim, p.x < 210 + rim, p.y < 297 + rim else { return nil }
        guard p.x >= 0, p.y >= 0, p.x < 210, p.y < 297 else { return 120 }
        let (row, column) = (Int(p.y) / 8, Int(p.x) / 6)
        let isLine = p.x > 20 && p.x < 190 && p.y > 20 && p.y < 270 && Int(p.y) % 8 < 3
        let isInk = isLine && (row * 31 + column * 17 + print * 13) % 5 < 3
        return isInk ? 70 : 215
    }
}
