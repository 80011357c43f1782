import Imaging
import Testing

@testable import Detection

/// Tests black rims of films and scans, and other black areas.
@Suite struct BlackRimTests {
    /// A picture of 400 × 300 pixels that is black where `isBlack` is true, and textured elsewhere.
    private func picture(_ isBlack: (Int, Int) -> Bool, black: UInt8 = 2) -> Raster {
        var picture = Raster(width: 400, height: 300, format: .gray8)
        let stride = picture.stride
        picture.withMutableBytes { bytes in
            for y in 0..<300 {
                for x in 0..<400 {
                    bytes[y * stride + x] =
                        isBlack(x, y) ? black : UInt8(100 + (x * 7 + y * 13) % 60)
                }
            }
        }
        return picture
    }

    private func inner(_ picture: Raster) -> PixelRect? {
        picture.withFrameView { BlackRim(frame: $0).inner }
    }

    @Test("A rim on all sides is cut with the pixels that compression blurred")
    func around() throws {
        let found = try #require(
            inner(picture { x, y in x < 20 || x >= 390 || y < 12 || y >= 280 }))
        #expect((20...26).contains(found.x))
        #expect((12...18).contains(found.y))
        #expect((384...390).contains(found.x + found.width))
        #expect((274...280).contains(found.y + found.height))
    }

    @Test("Bars above and below leave the other sides uncut")
    func bars() throws {
        let found = try #require(inner(picture { _, y in y < 24 || y >= 276 }))
        #expect(found.x == 0 && found.width == 400)
        #expect((24...30).contains(found.y))
    }

    @Test("The curved rim of a corrected lens is cut at its widest place")
    func bowed() throws {
        let found = try #require(
            inner(
                picture { x, y in
                    let (u, v) = (Double(x) / 200 - 1, Double(y) / 150 - 1)
                    return Double(min(x, 399 - x)) < 4 + 5 * v * v
                        || Double(min(y, 299 - y)) < 4 + 5 * u * u
                }))
        #expect(found.x >= 6 && found.y >= 6)
        #expect(found.width > 360 && found.height > 260)
    }

    @Test("A black cloth around a page turned by three degrees is not a rim")
    func cloth() {
        let page = TestScene.quad([(40, 10), (385, 28), (362, 290), (12, 270)])
        #expect(inner(picture { x, y in !page.contains(x, y) }) == nil)
    }

    @Test("Dark gray is not black, and a black picture has no inner part")
    func others() {
        #expect(inner(picture({ x, _ in x < 20 }, black: 30)) == nil)
        #expect(inner(picture { _, _ in true }) == nil)
        #expect(inner(picture { _, _ in false }) == nil)
    }

    @Test("Frames of a few pixels are accepted", arguments: [(1, 1), (2, 90), (90, 2), (33, 33)])
    func small(width: Int, height: Int) {
        #expect(inner(Raster(width: width, height: height, format: .gray8)) == nil)
    }

    @Test("A page is found in its place, though a rim surrounds the picture")
    func page() throws {
        let page = TestScene.quad([(180, 90), (430, 100), (425, 400), (170, 395)])
        var picture = TestScene.photograph(of: page)
        let (width, height, stride) = (picture.width, picture.height, picture.stride)
        let pixel = picture.format.channels
        picture.withMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width where min(x, width - 1 - x, y, height - 1 - y) < 16 {
                    for c in 0..<pixel { bytes[y * stride + x * pixel + c] = 0 }
                }
            }
        }
        let found = try #require(try NetworkPageDetector().detect(in: picture))
        #expect(found.quad.intersectionOverUnion(page) > 0.95)
    }
}

extension Quad {
    /// True for a pixel whose middle is inside.
    fileprivate func contains(_ x: Int, _ y: Int) -> Bool {
        let point = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
        return corners.indices.allSatisfy { at in
            let (a, b) = (corners[at], corners[(at + 1) % 4])
            return (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) >= 0
        }
    }
}
