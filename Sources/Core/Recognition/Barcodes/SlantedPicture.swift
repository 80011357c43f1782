import Glibc
import Imaging

/// A gray picture turned by some angle, within a white square that contains all of it.
struct SlantedPicture {
    /// The turned picture.
    let picture: Raster
    private let shift: (x: Int, y: Int)
    private let back: (sine: Double, cosine: Double, center: Double)

    /// - Parameter degrees: the angle; positive turns clockwise.
    init(of gray: Raster, degrees: Double) {
        let (width, height) = (gray.width, gray.height)
        let side = Int(
            Double(width * width + height * height).squareRoot().rounded(.up))
        let (left, top) = ((side - width) / 2, (side - height) / 2)
        var canvas = Raster(width: side, height: side, format: .gray8)
        let (from, to) = (gray.stride, canvas.stride)
        canvas.withMutableBytes { target in
            _ = target.initializeMemory(as: UInt8.self, repeating: 255)
            gray.withBytes { source in
                for y in 0..<height {
                    let row = UnsafeRawBufferPointer(rebasing: source[y * from..<y * from + width])
                    let start = (y + top) * to + left
                    target[start..<start + width].copyBytes(from: row)
                }
            }
        }
        picture = canvas.rotated(byDegrees: degrees)
        shift = (left, top)
        let center = Double(side) / 2
        let radians = degrees * .pi / 180
        back = (sin(radians), cos(radians), center)
    }

    /// The point of the picture before it was turned.
    func original(of point: Point) -> Point {
        let (sine, cosine, center) = back
        let (x, y) = (point.x - center, point.y - center)
        return Point(
            x: cosine * x + sine * y + center - Double(shift.x),
            y: cosine * y - sine * x + center - Double(shift.y))
    }
}
