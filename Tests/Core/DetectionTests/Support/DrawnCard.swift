import Imaging

@testable import Detection

/// A light card of 252 × 352 pixels on a darker table.
enum DrawnCard {
    static let quad = TestScene.quad([(74, 74), (326, 74), (326, 426), (74, 426)])

    /// - Parameters:
    ///   - radius: of the card's corners, in pixels; 13 is that of a trading card.
    ///   - table: the table's level.
    static func picture(radius: Double, table: UInt8 = 90) -> Raster {
        var picture = Raster(width: 400, height: 500, format: .gray8)
        let stride = picture.stride
        picture.withMutableBytes { bytes in
            for y in 0..<500 {
                for x in 0..<400 {
                    let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
                    let dx = max(74 + radius - px, px - (326 - radius), 0)
                    let dy = max(74 + radius - py, py - (426 - radius), 0)
                    let isInside = (dx * dx + dy * dy).squareRoot() <= max(radius, 0.001)
                    bytes[y * stride + x] = isInside ? 210 : table
                }
            }
        }
        return picture
    }
}
