import Testing

@testable import Imaging

@Suite struct ResamplingTests {
    static let filters: [ResizeFilter] = [.area, .bilinear, .lanczos3]
    static let continuous: [PixelFormat] = [.gray8, .gray16, .rgb8, .rgb16]

    @Test("A picture of one color stays that color at every size", arguments: filters, continuous)
    func constant(filter: ResizeFilter, format: PixelFormat) {
        for (width, height) in [(1, 1), (1, 30), (30, 1), (17, 23), (40, 9)] {
            for value in [0, 1, 100, format.largestSample] {
                let source = Raster.painted(width, height, format) { _, _, _ in value }
                for (newWidth, newHeight) in [(1, 1), (3, 5), (17, 23), (61, 80)] {
                    let result = source.resized(to: newWidth, newHeight, filter: filter)
                    #expect(result.width == newWidth && result.height == newHeight)
                    #expect(result.samples.allSatisfy { $0 == value })
                }
            }
        }
    }

    @Test("Area averaging keeps the mean", arguments: continuous)
    func mean(format: PixelFormat) {
        let source = Raster.noise(120, 90, format, seed: 4)
        let before = Double(source.samples.reduce(0, +)) / Double(source.samples.count)
        for (width, height) in [(60, 45), (37, 29), (119, 89), (5, 3)] {
            let samples = source.resized(to: width, height, filter: .area).samples
            let after = Double(samples.reduce(0, +)) / Double(samples.count)
            // Rounding moves the mean by less than half a level.
            #expect((after - before).magnitude < 0.5)
        }
    }

    @Test("Halving averages each block of four pixels")
    func blocks() {
        let source = Raster.noise(64, 48, .gray8, seed: 5)
        let s = source.samples
        let expected = (0..<24).flatMap { y in
            (0..<32).map { x -> Double in
                let at = 2 * y * 64 + 2 * x
                return Double(s[at] + s[at + 1] + s[at + 64] + s[at + 65]) / 4
            }
        }
        let found = source.resized(to: 32, 24, filter: .area).samples
        #expect(zip(found, expected).allSatisfy { (Double($0) - $1).magnitude <= 0.5 })
    }

    @Test(
        "Lanczos keeps a straight slope straight, away from the edges",
        arguments: [ResizeFilter.bilinear, .lanczos3])
    func slope(filter: ResizeFilter) {
        let source = Raster.painted(100, 4, .gray16) { x, _, _ in 1000 + 500 * x }
        let result = source.resized(to: 250, 4, filter: filter)
        for x in 15..<235 {
            let place = (Double(x) + 0.5) / 2.5 - 0.5
            #expect((Double(result.sample(x, 2)) - (1000 + 500 * place)).magnitude < 30)
        }
    }

    @Test("Thumbnails keep the shape and never grow")
    func thumbnail() {
        let source = Raster.noise(300, 200, .rgb8, resolution: 300)
        let small = source.thumbnail(longSide: 60)
        #expect(small.width == 60 && small.height == 40)
        #expect(small.resolution == 60)
        #expect(source.thumbnail(longSide: 300).samples == source.samples)
        #expect(source.thumbnail(longSide: 5000).width == 300)
        let strip = Raster(width: 5000, height: 1, format: .gray8).thumbnail(longSide: 10)
        #expect(strip.width == 10 && strip.height == 1)
        #expect(
            Raster(width: 64, height: 64, format: .bilevel).thumbnail(longSide: 8).format == .gray8)
    }

    @Test(
        "A turn by 90 degrees about the center of a square is the exact quarter turn",
        arguments: PixelFormat.allCases)
    func quarterByDegrees(format: PixelFormat) {
        let source = Raster.noise(31, 31, format)
        let tolerance = format == .bilevel ? 0 : format.largestSample / 255
        #expect(
            largestDifference(
                source.rotated(byDegrees: 90).samples, source.rotated(by: .clockwise90).samples)
                <= tolerance)
        #expect(
            largestDifference(
                source.rotated(byDegrees: 180).samples, source.rotated(by: .half).samples)
                <= tolerance)
    }

    @Test("A turn there and back leaves a smooth picture nearly as it was")
    func thereAndBack() {
        let source = Raster.painted(200, 160, .gray8) { x, y, _ in x / 2 + y / 2 }
        let back = source.rotated(byDegrees: 2.5).rotated(byDegrees: -2.5)
        for y in 20..<140 {
            for x in 20..<180 { #expect(abs(back.sample(x, y) - source.sample(x, y)) <= 2) }
        }
    }

    @Test("Uncovered corners are filled; a tiny angle changes nothing", arguments: continuous)
    func fill(format: PixelFormat) {
        let source = Raster.painted(100, 80, format) { _, _, _ in 0 }
        let white = source.rotated(byDegrees: 5)
        #expect(white.sample(0, 0) == format.largestSample)
        #expect(white.sample(50, 40) == 0)
        #expect(source.rotated(byDegrees: 5, fill: 0).samples.allSatisfy { $0 == 0 })
        #expect(source.rotated(byDegrees: 0.001).samples == source.samples)
        #expect(source.rotated(byDegrees: .nan).samples == source.samples)
        #expect(source.rotated(byDegrees: .infinity).samples == source.samples)
    }

    /// A gray picture of noise, and the same picture in color.
    ///
    /// The pixels of the color picture are mixed and averaged one by one.
    private func twins(_ width: Int, _ height: Int) -> (gray: Raster, color: Raster) {
        let gray = Raster.noise(width, height, .gray8, resolution: 300)
        return (gray, gray.converted(to: .rgb8))
    }

    @Test(
        "Gray pictures are turned by small angles as those in color are, pixel for pixel",
        arguments: [0.2, -0.3, 0.7, -1.9, 3.4, -3.7], [(301, 203), (64, 500), (1, 40), (40, 1)])
    func slightTurns(_ degrees: Double, _ size: (Int, Int)) {
        let (gray, color) = twins(size.0, size.1)
        let turned = gray.rotated(byDegrees: degrees)
        #expect(turned.converted(to: .rgb8).samples == color.rotated(byDegrees: degrees).samples)
        #expect(min(size.0, size.1) < 3 || turned.samples != gray.samples)
    }

    @Test(
        "Gray pictures are halved as those in color are, pixel for pixel",
        arguments: [(300, 202), (2, 2), (66, 2)])
    func halves(_ size: (Int, Int)) {
        let (gray, color) = twins(size.0, size.1)
        let half = gray.resized(to: size.0 / 2, size.1 / 2)
        #expect(half.width == size.0 / 2 && half.resolution == 150)
        #expect(
            half.converted(to: .rgb8).samples == color.resized(to: size.0 / 2, size.1 / 2).samples)
    }

    @Test("Positive angles turn clockwise")
    func clockwise() {
        // A dark spot right of the center moves down.
        let source = Raster.painted(101, 101, .gray8) { x, y, _ in
            abs(x - 90) < 3 && abs(y - 50) < 3 ? 0 : 255
        }
        let turned = source.rotated(byDegrees: 10)
        #expect(turned.sample(89, 57) < 50)
        #expect(turned.sample(89, 43) == 255)
    }

    @Test("Warping by the identity keeps every pixel", arguments: PixelFormat.allCases)
    func identityWarp(format: PixelFormat) throws {
        for (width, height) in [(1, 1), (1, 12), (12, 1), (37, 29)] {
            let source = Raster.noise(width, height, format)
            let result = try source.warped(
                from: Quad(width: width, height: height), width: width, height: height)
            #expect(result.samples == source.samples)
        }
    }

    @Test("Warping a whole-pixel rectangle is a crop")
    func cropWarp() throws {
        let source = Raster.noise(60, 50, .rgb8)
        let quad = Quad(
            topLeft: Point(x: 10, y: 5), topRight: Point(x: 40, y: 5),
            bottomRight: Point(x: 40, y: 45), bottomLeft: Point(x: 10, y: 45))
        let expected = source.cropped(to: PixelRect(x: 10, y: 5, width: 30, height: 40))
        #expect(try source.warped(from: quad, width: 30, height: 40).samples == expected.samples)
    }

    @Test("A checkered page in perspective is flattened")
    func perspective() throws {
        let quad = Quad(
            topLeft: Point(x: 120, y: 60), topRight: Point(x: 480, y: 90),
            bottomRight: Point(x: 540, y: 430), bottomLeft: Point(x: 60, y: 400))
        let flat = Quad(width: 400, height: 400)
        let map = try #require(Homography(from: quad, to: flat))
        let photo = Raster.painted(600, 480, .gray8) { x, y, _ in
            let p = map.apply(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
            guard p.x >= 0, p.y >= 0, p.x < 400, p.y < 400 else { return 90 }
            return (Int(p.x) / 50 + Int(p.y) / 50) % 2 == 0 ? 230 : 20
        }
        let result = try photo.warped(from: quad, width: 400, height: 400)
        for row in 0..<8 {
            for column in 0..<8 {
                // Only the middle half of each square is checked, because its edges are as rough as
                // the photograph.
                for (dx, dy) in [(13, 13), (25, 25), (37, 37), (13, 37)] {
                    let expected = (row + column) % 2 == 0 ? 230 : 20
                    #expect(result.sample(column * 50 + dx, row * 50 + dy) == expected)
                }
            }
        }
    }

    @Test("Areas outside the picture are filled, and shrinking does not alias")
    func outsideAndShrinking() throws {
        let stripes = Raster.painted(400, 400, .gray8) { x, _, _ in x % 2 == 0 ? 0 : 255 }
        let small = try stripes.warped(
            from: Quad(width: 400, height: 400), width: 57, height: 57)
        #expect(small.samples.allSatisfy { (90...165).contains($0) })
        let outside = Quad(
            topLeft: Point(x: 500, y: 0), topRight: Point(x: 900, y: 0),
            bottomRight: Point(x: 900, y: 400), bottomLeft: Point(x: 500, y: 400))
        #expect(
            try stripes.warped(from: outside, width: 20, height: 20, fill: 7).samples
                .allSatisfy { $0 == 7 })
    }

    @Test("Any map of any picture reads only the picture's memory")
    func wildMaps() {
        var generator = SeededGenerator(seed: 21)
        for round in 0..<200 {
            let format = PixelFormat.allCases[round % 5]
            let source = Raster.noise(
                Int.random(in: 1...40, using: &generator),
                Int.random(in: 1...40, using: &generator),
                format)
            let numbers = (0..<9).map { _ in
                Double.random(in: -2...2, using: &generator)
                    * [1e-6, 1, 30, 1e6].randomElement(using: &generator)!
            }
            guard let map = Homography(matrix: numbers) else { continue }
            let result = source.warped(by: map, width: 23, height: 19)
            #expect(result.samples.count == 23 * 19 * format.channels)
        }
    }
}
