import Imaging

@testable import Delivery

/// A page with rows of marks like letters, in inks that alternate by row.
///
/// A letter is a few strokes, each 3 to 5 pixels wide.
func writtenPage(
    _ format: PixelFormat = .rgb8, width: Int = 900, height: Int = 1200,
    inks: [(UInt8, UInt8, UInt8)] = [(30, 30, 30)], paper: UInt8 = 240
) -> Raster {
    var generator = SeededGenerator(state: 3)
    var page = Raster(width: width, height: height, format: .rgb8, resolution: 300)
    let stride = page.stride
    page.withMutableBytes { bytes in
        for index in bytes.indices {
            bytes[index] = paper - UInt8(truncatingIfNeeded: generator.next()) % 8
        }
        func stroke(_ x: Int, _ y: Int, _ wide: Int, _ high: Int, _ ink: (UInt8, UInt8, UInt8)) {
            for row in y..<min(y + high, height) {
                for column in x..<min(x + wide, width) {
                    let at = row * stride + 3 * column
                    (bytes[at], bytes[at + 1], bytes[at + 2]) = ink
                }
            }
        }
        for (row, y) in Swift.stride(from: 60, to: height - 90, by: 60).enumerated() {
            let ink = inks[row % inks.count]
            for x in Swift.stride(from: 60, to: width - 90, by: 28) {
                let shape = generator.next()
                stroke(x, y, 4, 30, ink)
                if shape & 1 == 1 { stroke(x, y, 18, 4, ink) }
                if shape & 2 == 2 { stroke(x, y + 13, 16, 3, ink) }
                if shape & 4 == 4 { stroke(x + 15, y, 5, 30, ink) }
            }
        }
    }
    return page.converted(to: format)
}

/// A page of pure texture, like a photograph of grass.
func texturedPage(width: Int = 600, height: Int = 800) -> Raster {
    var generator = SeededGenerator(state: 5)
    var coarse = Raster(
        width: width * 3 / 4, height: height * 3 / 4, format: .rgb8, resolution: 225)
    coarse.withMutableBytes { bytes in
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: generator.next()) }
    }
    var page = coarse.resized(to: width, height, filter: .bilinear)
    page.resolution = 300
    return page
}
