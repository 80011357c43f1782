import Testing

@testable import Imaging

@Suite struct MeasureTests {
    static let page = textPage(width: 1240, height: 1000, resolution: 150)

    @Test(
        "The skew of a turned page is found, and undone",
        arguments: [-5.0, -1.3, -0.4, 0.0, 0.6, 2.2, 5.0])
    func skew(degrees: Double) throws {
        let turned = Self.page.rotated(byDegrees: degrees)
        let estimate = try #require(try PageSketch(of: turned).skew())
        #expect((estimate.degrees + degrees).magnitude < 0.15)
        #expect(estimate.confidence > 3)
        let level = try #require(
            try PageSketch(of: turned.rotated(byDegrees: estimate.degrees)).skew())
        #expect(level.degrees.magnitude < 0.15)
    }

    @Test("Pages without lines have no skew and no known orientation")
    func nothingThere() throws {
        for value in [0, 128, 255] {
            let blank = Raster.painted(500, 700, .gray8) { _, _, _ in value }
            #expect(try PageSketch(of: blank).skew() == nil)
            #expect(try PageSketch(of: blank).uprightTurn().answer == .unknown)
        }
        let noise = Raster.noise(500, 500, .gray8, resolution: 150)
        #expect(try PageSketch(of: noise).uprightTurn().answer == .unknown)
        for (width, height) in [(1, 1), (1, 2000), (2000, 1), (33, 33), (65, 65)] {
            let tiny = Raster.noise(width, height, .rgb8)
            #expect(try PageSketch(of: tiny).uprightTurn().answer == .unknown)
            _ = try PageSketch(of: tiny).skew()
        }
    }

    @Test("An upright page is recognized, and turned pages are turned back")
    func orientation() throws {
        let upright = try PageSketch(of: Self.page).uprightTurn()
        #expect(upright.answer == .upright && upright.turn == nil)
        for turn in QuarterTurn.allCases {
            let estimate = try PageSketch(of: Self.page.rotated(by: turn)).uprightTurn()
            #expect(estimate.answer == .turn(turn.inverse))
            #expect(estimate.turn == turn.inverse)
        }
    }

    @Test(
        "A sketch is made at 150 dots per inch whatever the page has",
        arguments: [75.0, 150, 300, 600])
    func sketch(resolution: Double) throws {
        let page = Raster.noise(800, 400, .rgb8, resolution: resolution)
        let sketch = try PageSketch(of: page).image
        #expect(sketch.format == .bilevel)
        #expect(sketch.width == (resolution <= 150 ? 800 : Int(800 * 150 / resolution)))
    }

    @Test("Impossible resolutions do not matter", arguments: [Double.nan, .infinity, -3, 0, 1e300])
    func oddResolution(resolution: Double) throws {
        let page = Raster.noise(300, 200, .gray8, resolution: resolution)
        #expect(try PageSketch(of: page).image.width == 300)
        #expect(try !page.encodedPNG().isEmpty)
        #expect(try !page.encodedJPEG().isEmpty)
        #expect(try !page.encodedTIFF().isEmpty)
    }
}
