import Imaging
import Testing

@testable import Detection

@Suite struct DetectorTests {
    static let pages = TestScene.pages

    @Test(
        "A page on a darker table is found to within a pixel or two", arguments: pages,
        [true, false])
    func found(page: Quad, color: Bool) throws {
        let result = try #require(
            try NetworkPageDetector().detect(in: TestScene.photograph(of: page, color: color)))
        #expect(result.quad.intersectionOverUnion(page) > 0.98)
        #expect(result.confidence > 0.6 && result.confidence <= 1)
        for (found, truth) in zip(result.quad.corners, page.corners) {
            #expect(found.distance(to: truth) < 2.5)
        }
    }

    @Test("Every pixel format is accepted", arguments: PixelFormat.allCases)
    func forms(format: PixelFormat) throws {
        let picture = TestScene.photograph(of: Self.pages[1]).converted(to: format)
        let result = try #require(try NetworkPageDetector().detect(in: picture))
        #expect(result.quad.intersectionOverUnion(Self.pages[1]) > 0.97)
    }

    @Test("Corners are given in pixels of the full picture")
    func fullSize() throws {
        let large = Self.pages[2].scaled(x: 2, y: 2)
        let picture = TestScene.photograph(of: large, width: 1280, height: 960)
        let result = try #require(try NetworkPageDetector().detect(in: picture))
        #expect(result.quad.intersectionOverUnion(large) > 0.985)
    }

    @Test("A camera's frame is read in place and gives the same result as its luma")
    func frames() throws {
        let gray = TestScene.photograph(of: Self.pages[1], color: false)
        let expected = try #require(try NetworkPageDetector().detect(in: gray))
        var yuyv = [UInt8](repeating: 77, count: gray.height * (2 * gray.width + 6))
        gray.withBytes { bytes in
            for y in 0..<gray.height {
                for x in 0..<gray.width {
                    yuyv[y * (2 * gray.width + 6) + 2 * x] = bytes[y * gray.stride + x]
                }
            }
        }
        let found = try yuyv.withUnsafeBytes { bytes in
            try NetworkPageDetector().detect(
                in: #require(
                    FrameView.yuyv(
                        bytes, width: gray.width, height: gray.height, rowBytes: 2 * gray.width + 6)
                ))
        }
        #expect(found == expected)
    }

    @Test("An empty table and blank pictures have no page", arguments: [0, 128, 255])
    func blank(level: UInt8) throws {
        let detector = NetworkPageDetector()
        #expect(
            try detector.detect(in: TestScene.photograph(of: nil, table: Int(level / 2))) == nil)
        var blank = Raster(width: 300, height: 400, format: .gray8)
        blank.withMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: level) }
        #expect(try detector.detect(in: blank) == nil)
        #expect(try detector.detectAll(in: blank).isEmpty)
    }

    @Test(
        "Pictures of any shape are accepted, down to one pixel",
        arguments: [
            (1, 1), (1, 500), (500, 1), (31, 400), (3, 3), (5000, 2), (2, 5000), (191, 193),
        ])
    func shapes(width: Int, height: Int) throws {
        let detector = NetworkPageDetector(minimumArea: 0, minimumConfidence: 0)
        for format in [PixelFormat.rgb8, .gray8, .bilevel] {
            let picture = Raster(width: width, height: height, format: format)
            for page in try detector.detectAll(in: picture) { #expect(page.quad.isConvex) }
            #expect(try NetworkPageDetector().detect(in: picture) == nil)
        }
    }

    @Test("Noise is not a page", arguments: 0..<3)
    func noise(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var raster = Raster(width: 200 + 31 * Int(seed), height: 150, format: .gray8)
        raster.withMutableBytes { bytes in
            for i in bytes.indices { bytes[i] = generator.next() >> 63 == 0 ? 0 : 255 }
        }
        #expect(try NetworkPageDetector().detect(in: raster) == nil)
    }

    @Test("Anything smaller or less certain than required is not a page")
    func limits() throws {
        let page = TestScene.photograph(of: Self.pages[0])
        #expect(try NetworkPageDetector(minimumArea: 0.5).detect(in: page) == nil)
        #expect(try NetworkPageDetector(minimumConfidence: 1).detect(in: page) == nil)
        #expect(try NetworkPageDetector(minimumArea: .nan).detect(in: page) == nil)
    }

    @Test("The visible part of a page cut off by the frame is found")
    func cutOff() throws {
        let cut = TestScene.quad([(-60, 60), (330, 60), (330, 420), (-60, 420)])
        let inView = TestScene.quad([(0, 60), (330, 60), (330, 420), (0, 420)])
        let result = try #require(
            try NetworkPageDetector().detect(in: TestScene.photograph(of: cut)))
        #expect(result.quad.intersectionOverUnion(inView) > 0.9)
    }

    @Test("Two sheets are both found on request; the main one comes first")
    func several() throws {
        let large = TestScene.quad([(60, 60), (350, 60), (350, 430), (60, 430)])
        let small = TestScene.quad([(420, 150), (600, 160), (590, 400), (415, 390)])
        var picture = TestScene.photograph(of: large)
        let other = TestScene.photograph(of: small)
        let stride = picture.stride
        picture.withMutableBytes { bytes in
            other.withBytes { source in
                for y in 0..<480 {
                    for i in 3 * 390..<3 * 640 { bytes[y * stride + i] = source[y * stride + i] }
                }
            }
        }
        let found = try NetworkPageDetector().detectAll(in: picture)
        #expect(found.count == 2)
        for page in [large, small] {
            #expect(found.contains { $0.quad.intersectionOverUnion(page) > 0.95 })
        }
        let first = try #require(found.first)
        #expect(first.quad.intersectionOverUnion(large) > 0.95)
        #expect(try NetworkPageDetector().detectAll(in: picture, limit: 1).count == 1)
        #expect(try NetworkPageDetector().detectAll(in: picture, limit: 0).isEmpty)
    }

    @Test(
        "A close look finds a small page's corners more exactly",
        arguments: pages)
    func closely(page: Quad) throws {
        // The page's side is a fifth of the picture's, so the network sees the page larger in the
        // second picture, which is a part of the first one.
        let small = page.scaled(x: 0.6, y: 0.6)
        let picture = TestScene.photograph(of: small, width: 1280, height: 960)
        var detector = NetworkPageDetector()
        detector.refinesSides = false
        let once = try #require(try detector.detect(in: picture))
        detector.looksClosely = true
        let closely = try #require(try detector.detect(in: picture))
        #expect(closely.quad.intersectionOverUnion(small) > once.quad.intersectionOverUnion(small))
        let all = try detector.detectAll(in: picture)
        #expect(all.first?.quad == closely.quad)
    }

    @Test(
        "A diagonal slip is found more exactly when turned upright",
        arguments: [true, false])
    func upright(color: Bool) throws {
        // 60 × 280 pixels of 1280 × 960, at 45°: most of the bounding box is desk.
        let slip = TestScene.quad([(500, 300), (543, 258), (741, 456), (698, 498)])
        let picture = TestScene.photograph(
            of: slip, width: 1280, height: 960, color: color)
        let rough = TestScene.quad([(512, 296), (549, 270), (737, 444), (686, 500)])
        let detector = NetworkPageDetector()
        let seen = try picture.withFrameView { frame throws(DetectionError) in
            try NetworkPool.pages.withNetwork { network in
                detector.upright(
                    .init(quad: rough, raw: 0.6, share: 0.01, distance: 0), in: frame, network)
            }
        }
        #expect(!seen.isEmpty)
        for one in seen {
            #expect(
                one.quad.intersectionOverUnion(slip) > rough.intersectionOverUnion(slip))
            #expect(one.raw > 0.6 && one.raw <= 0.8)
        }
    }

    @Test("An empty picture has no page when turned upright either")
    func uprightOfNothing() throws {
        let desk = Raster(width: 640, height: 480, format: .gray8)
        let places = [
            TestScene.quad([(100, 100), (300, 100), (300, 300), (100, 300)]),
            TestScene.quad([(-900, -900), (-700, -900), (-700, -700), (-900, -700)]),
            TestScene.quad([(5, 5), (5, 5), (5, 5), (5, 5)]),
            TestScene.quad([(0, 0), (640, 0), (640, 480), (0, 480)]),
        ]
        for place in places {
            let seen = try desk.withFrameView { frame throws(DetectionError) in
                try NetworkPool.pages.withNetwork { network in
                    NetworkPageDetector().upright(
                        .init(quad: place, raw: 0.9, share: 0.1, distance: 0), in: frame, network)
                }
            }
            #expect(seen.isEmpty)
        }
    }

    @Test(
        "Pictures of any shape can be examined closely",
        arguments: [(1, 1), (1, 500), (500, 1), (31, 400), (5000, 2), (191, 193)])
    func closeShapes(width: Int, height: Int) throws {
        var detector = NetworkPageDetector(minimumArea: 0, minimumConfidence: 0)
        detector.looksClosely = true
        for format in [PixelFormat.rgb8, .gray8] {
            let picture = Raster(width: width, height: height, format: format)
            for page in try detector.detectAll(in: picture) { #expect(page.quad.isConvex) }
        }
    }

    @Test("For a mirror image, the network's maps are mirrored too")
    func mirrored() throws {
        let picture = TestScene.photograph(of: Self.pages[1], color: false)
        var mirrored = picture
        mirrored.withMutableBytes { bytes in
            for y in 0..<picture.height {
                bytes[y * picture.stride..<y * picture.stride + picture.width].reverse()
            }
        }
        let network = PageNetwork(try NetworkWeights.pages.get())
        func maps(_ raster: Raster) -> ([Float], Double) {
            raster.withFrameView { (frame) -> ([Float], Double) in
                let maps = network.look(at: frame, twice: true)
                let values = UnsafeBufferPointer(start: maps.mask, count: maps.side * maps.side)
                return (Array(values), maps.presence)
            }
        }
        let (one, other) = (maps(picture), maps(mirrored))
        let side = network.mapSide
        for y in 0..<side {
            for x in 0..<side {
                #expect(abs(one.0[y * side + x] - other.0[y * side + side - 1 - x]) < 0.001)
            }
        }
        #expect(abs(one.1 - other.1) < 0.001)
    }

    @Test("Detections at the same time give the same page", .timeLimit(.minutes(5)))
    func together() async throws {
        let picture = TestScene.photograph(of: Self.pages[1])
        let alone = try NetworkPageDetector().detect(in: picture)
        try await withThrowingTaskGroup(of: DetectedPage?.self) { group in
            for _ in 0..<6 {
                group.addTask { try NetworkPageDetector().detect(in: picture) }
            }
            for try await result in group { #expect(result == alone) }
        }
    }
}

@Suite struct SideRefinerTests {
    /// The page with each corner moved by about `distance` in a random direction.
    private func shaken(_ page: Quad, by distance: Double, seed: UInt64) -> Quad {
        var generator = SeededGenerator(seed: seed)
        func moved(_ point: Point) -> Point {
            Point(
                x: point.x + .random(in: -distance...distance, using: &generator),
                y: point.y + .random(in: -distance...distance, using: &generator))
        }
        return Quad(
            topLeft: moved(page.topLeft), topRight: moved(page.topRight),
            bottomRight: moved(page.bottomRight), bottomLeft: moved(page.bottomLeft))
    }

    @Test("Sides of a rough quad move onto their edges", arguments: TestScene.pages)
    func refined(page: Quad) {
        let picture = TestScene.photograph(of: page)
        for seed in 0..<4 as Range<UInt64> {
            let rough = shaken(page, by: 5, seed: seed)
            let fine = picture.withFrameView { SideRefiner(frame: $0).refined(rough) }
            for (corner, truth) in zip(fine.corners, page.corners) {
                #expect(corner.distance(to: truth) < 1)
            }
        }
    }

    @Test("A curled page does not get worse", arguments: [0.006, 0.012, -0.012, 0.03, -0.03])
    func curled(bow: Double) {
        let page = TestScene.pages[1]
        let picture = TestScene.photograph(of: page, bow: bow)
        for seed in 0..<4 as Range<UInt64> {
            let rough = shaken(page, by: 2, seed: seed)
            let fine = picture.withFrameView { SideRefiner(frame: $0).refined(rough) }
            let (before, after) = (
                rough.intersectionOverUnion(page), fine.intersectionOverUnion(page)
            )
            #expect(after > before - 0.004, "\(before) → \(after)")
        }
    }

    @Test("Without an edge, the quad stays where it is")
    func nothing() {
        let rough = TestScene.pages[2]
        let picture = TestScene.photograph(of: nil)
        #expect(picture.withFrameView { SideRefiner(frame: $0).refined(rough) } == rough)
        let tiny = TestScene.quad([(5, 5), (30, 5), (30, 30), (5, 30)])
        #expect(picture.withFrameView { SideRefiner(frame: $0).refined(tiny) } == tiny)
    }
}
