import Testing

@testable import Detection
@testable import Imaging

@Suite struct ContourPageDetectorTests {
    /// A sheet with lines of text on a table, both with grain, seen in perspective.
    static func photograph(
        of quad: Quad?, width: Int = 640, height: Int = 480, table: Int = 90, paper: Int = 225,
        colour: Bool = true, seed: UInt64 = 1
    ) -> Raster {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func grain() -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 60) - 8
        }
        let map = quad.flatMap { Homography(from: $0, to: Quad(width: 210, height: 297)) }
        var raster = Raster(width: width, height: height, format: colour ? .rgb8 : .gray8)
        let (stride, channels) = (raster.stride, raster.format.channels)
        raster.withMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let p = map?.apply(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
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

    @Test(
        "A page on a darker table is found to within a pixel or two", arguments: pages,
        [true, false])
    func found(page: Quad, colour: Bool) throws {
        let detector = ContourPageDetector()
        let result = try #require(
            try detector.detect(in: Self.photograph(of: page, colour: colour)))
        #expect(result.quad.intersectionOverUnion(page) > 0.98)
        #expect(result.confidence > 0.6 && result.confidence <= 1)
        for (found, truth) in zip(result.quad.corners, page.corners) {
            #expect(found.distance(to: truth) < 2.5)
        }
    }

    @Test("Every pixel form is taken", arguments: PixelFormat.allCases)
    func forms(format: PixelFormat) throws {
        let picture = Self.photograph(of: Self.pages[1]).converted(to: format)
        let result = try #require(try ContourPageDetector().detect(in: picture))
        #expect(result.quad.intersectionOverUnion(Self.pages[1]) > 0.97)
    }

    @Test("Corners are given in pixels of the full picture")
    func fullSize() throws {
        let large = Self.pages[2].scaled(x: 2.5, y: 2.5)
        let picture = Self.photograph(of: large, width: 1600, height: 1200)
        let result = try #require(try ContourPageDetector().detect(in: picture))
        #expect(result.quad.intersectionOverUnion(large) > 0.98)
    }

    @Test("An empty table, a page that fills the frame and blank pictures give nothing")
    func nothing() throws {
        let detector = ContourPageDetector()
        #expect(try detector.detect(in: Self.photograph(of: nil)) == nil)
        let over = Self.quad([(-40, -60), (700, -40), (690, 540), (-30, 530)])
        #expect(try detector.detect(in: Self.photograph(of: over)) == nil)
        for value in [0, 128, 255] {
            var blank = Raster(width: 300, height: 400, format: .gray8)
            blank.withMutableBytes { bytes in
                for i in bytes.indices { bytes[i] = UInt8(value) }
            }
            #expect(try detector.detect(in: blank) == nil)
        }
        for (width, height) in [(1, 1), (1, 500), (500, 1), (31, 400), (40, 33)] {
            #expect(
                try detector.detect(in: Raster(width: width, height: height, format: .rgb8)) == nil)
        }
    }

    @Test("A sheet smaller than the least area is no page")
    func small() throws {
        let stamp = Self.quad([(300, 200), (360, 205), (355, 280), (298, 275)])
        let picture = Self.photograph(of: stamp)
        #expect(try ContourPageDetector().detect(in: picture) == nil)
        let page = Self.photograph(of: Self.pages[0])
        #expect(try ContourPageDetector(minimumArea: 0.5).detect(in: page) == nil)
    }

    @Test("A page cut off by the frame is not guessed at")
    func cutOff() throws {
        let cut = Self.quad([(-150, 60), (330, 60), (330, 420), (-150, 420)])
        #expect(try ContourPageDetector().detect(in: Self.photograph(of: cut)) == nil)
    }

    @Test("A grey sheet hardly brighter than the table is not guessed at")
    func faint() throws {
        let picture = Self.photograph(of: Self.pages[0], table: 200, paper: 206, colour: false)
        #expect(try ContourPageDetector().detect(in: picture) == nil)
    }

    @Test("Noise never crashes the detector")
    func noise() throws {
        for seed in 0..<3 {
            var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
            var raster = Raster(width: 200 + 31 * seed, height: 150, format: .gray8)
            raster.withMutableBytes { bytes in
                for i in bytes.indices {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    bytes[i] = state >> 63 == 0 ? 0 : 255
                }
            }
            #expect(try ContourPageDetector().detect(in: raster) == nil)
        }
    }
}

@Suite struct HullTests {
    static let octagon = [(2.0, 0.0), (6, 0), (8, 2), (8, 6), (6, 8), (2, 8), (0, 6), (0, 2)]
        .map { Point(x: $0.0, y: $0.1) }

    @Test("The hull of a filled square is its four corners")
    func square() {
        let points = (0...10).flatMap { y in (0...10).map { Point(x: Double($0), y: Double(y)) } }
        let hull = Hull.convex(points)
        #expect(
            Set(hull) == Set([(0, 0), (10, 0), (10, 10), (0, 10)].map { Point(x: $0.0, y: $0.1) }))
    }

    @Test("Cut corners are put back")
    func cutCorners() throws {
        let quad = try #require(Hull.quad(about: Hull.convex(Self.octagon)))
        #expect((quad.area - 64).magnitude < 1e-9)
        #expect(quad.topLeft.distance(to: Point(x: 0, y: 0)) < 1e-9)
    }

    @Test("Too few points make no quadrilateral")
    func few() {
        #expect(Hull.quad(about: Hull.convex([])) == nil)
        #expect(Hull.quad(about: Hull.convex([Point(x: 1, y: 1)])) == nil)
        #expect(Hull.quad(about: Hull.convex((0..<9).map { Point(x: Double($0), y: 2) })) == nil)
    }
}
