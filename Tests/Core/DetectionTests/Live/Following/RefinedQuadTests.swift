import Testing

@testable import Detection
@testable import Imaging

@Suite struct RefinedQuadTests {
    /// A desk with a light sheet.
    ///
    /// On the sheet is a slightly lighter page, whose top edge is `strip` pixels below the sheet's
    /// top edge.
    private static func picture(strip: Int) -> Raster {
        var picture = Raster(width: 1920, height: 1080, format: .gray8)
        let stride = picture.stride
        picture.withMutableBytes { bytes in
            for y in 0..<1080 {
                for x in 0..<1920 {
                    let isSheet = (650..<1270).contains(x) && (160 - strip..<1000).contains(y)
                    let isPage = (700..<1270).contains(x) && (160..<1000).contains(y)
                    bytes[y * stride + x] = isPage ? 226 : isSheet ? 210 : 60
                }
            }
        }
        return picture
    }

    private static func page(_ x: Double, _ y: Double) -> Quad {
        TestScene.quad([(700 + x, 160 + y), (1270, 160 + y), (1270, 1000), (700 + x, 1000)])
    }

    private func off(_ quad: Quad) -> Double {
        zip(quad.corners, Self.page(0, 0).corners).map { $0.distance(to: $1) }.max() ?? .infinity
    }

    @Test("Followed corners move onto the page's edges", arguments: [-6.0, -2, 4, 7])
    func moved(by pixels: Double) {
        let refined = Self.page(pixels, -pixels).refined(in: Self.picture(strip: 100))
        #expect(off(refined) < 1, "\(refined)")
    }

    @Test("Followed corners do not move to a sheet below with a stronger edge")
    func pile() {
        let refined = Self.page(1, -1).refined(in: Self.picture(strip: 16))
        #expect(off(refined) < 1.5, "\(refined)")
    }
}
