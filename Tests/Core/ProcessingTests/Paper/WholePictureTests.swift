import Imaging
import Testing

@testable import Processing

@Suite("Pictures that stay whole") struct WholePictureTests {
    /// An RGB picture of one color that contains a rectangle of another color, with noise of ±
    /// `noise` levels.
    private func picture(
        _ width: Int, _ height: Int, resolution: Double?, ground: [Int], panel: PixelRect,
        color: [Int], noise: Int
    ) -> Raster {
        var random = SeededGenerator(seed: 5)
        var image = Raster(width: width, height: height, format: .rgb8, resolution: resolution)
        let stride = image.stride
        image.withMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let isPanel =
                        (panel.x..<panel.x + panel.width).contains(x)
                        && (panel.y..<panel.y + panel.height).contains(y)
                    let shift =
                        noise == 0
                        ? 0 : Int(truncatingIfNeeded: random.next() % UInt64(2 * noise + 1)) - noise
                    for c in 0..<3 {
                        bytes[y * stride + 3 * x + c] = UInt8(
                            clamping: (isPanel ? color[c] : ground[c]) + shift)
                    }
                }
            }
        }
        return image
    }

    private func crop(_ image: Raster, _ facts: PictureFacts = PictureFacts()) throws -> StepOutcome
    {
        try CropStep(StepSettings([:])).run(
            on: StepInput(image: image, target: .page, facts: facts))
    }

    private let panel = PixelRect(x: 100, y: 220, width: 610, height: 800)

    @Test(
        "A background with one exact gray comes from a program, unless a scanner captured it",
        arguments: [true, false])
    func exactGround(_ isScan: Bool) throws {
        let image = picture(
            860, 1180, resolution: 100, ground: [226, 226, 226], panel: panel,
            color: [255, 255, 255], noise: 0)
        let outcome = try crop(image, PictureFacts(isScan: isScan))
        #expect(outcome.isChanged == isScan, "\(outcome.summary)")
        if !isScan { #expect(outcome.summary.contains("exact color"), "\(outcome.summary)") }
    }

    @Test("The same gray with a sensor's noise is a lid, and is cut off")
    func noisyGround() throws {
        let image = picture(
            860, 1180, resolution: 100, ground: [226, 226, 226], panel: panel,
            color: [250, 250, 250], noise: 3)
        #expect(try crop(image).isChanged)
    }

    @Test("No cutting step searches for edges that are certain")
    func certain() throws {
        let image = picture(
            860, 1180, resolution: 100, ground: [40, 40, 40], panel: panel,
            color: [250, 250, 250],
            noise: 3)
        let facts = PictureFacts(edgesArePaper: true)
        #expect(try crop(image).isChanged)
        let outcome = try crop(image, facts)
        #expect(!outcome.isChanged)
        #expect(outcome.summary == "unchanged: the picture's edges are the page's own")
        let input = StepInput(image: image, target: .page, facts: facts)
        #expect(try !ItemsStep(StepSettings([:])).run(on: input).isChanged)
    }

    @Test("A brown A4 sheet with a white label is a page, and a receipt on a white lid is cut out")
    func label() throws {
        let label = PixelRect(x: 250, y: 400, width: 700, height: 400)
        let brown = picture(
            1240, 1754, resolution: 150, ground: [150, 105, 60], panel: label,
            color: [250, 250, 250], noise: 3)
        let outcome = try crop(brown)
        #expect(!outcome.isChanged)
        #expect(outcome.summary.contains("exactly A4"), "\(outcome.summary)")
        let lid = picture(
            1240, 1754, resolution: 150, ground: [225, 225, 225], panel: label,
            color: [250, 250, 250], noise: 3)
        #expect(try crop(lid).isChanged)
    }

    @Test("The size of a drawn page is certain, however coarse its picture")
    func coarse() throws {
        let image = picture(
            600, 600, resolution: 7.2, ground: [250, 250, 250], panel: panel,
            color: [250, 250, 250], noise: 0)
        let outcome = try crop(image, PictureFacts(edgesArePaper: true, isDrawn: true))
        #expect(outcome.image.resolution == 7.2 && outcome.measurements["resolution"] == nil)
    }

    @Test(
        "Lettering outside the sheet is kept, on backgrounds of any brightness",
        arguments: [(215, 700), (184, 400), (120, 400)])
    func lettering(white: Int, top: Int) throws {
        // A panel covers the lower part of a printed page, and its edges look like a sheet's.
        let letter = try TestPage.letter()
        var image = letter
        let stride = image.stride
        var random = SeededGenerator(seed: 3)
        image.withMutableBytes { bytes in
            for y in 0..<letter.height {
                for x in 0..<letter.width {
                    let isPanel = (150..<1090).contains(x) && (top..<1650).contains(y)
                    let noise = Int(truncatingIfNeeded: random.next() % 5) - 2
                    let level = isPanel ? 250 : Int(bytes[y * stride + x]) * white / 255
                    bytes[y * stride + x] = UInt8(clamping: level + noise)
                }
            }
        }
        let sheet = Quad(
            topLeft: Point(x: 150, y: Double(top)), topRight: Point(x: 1090, y: Double(top)),
            bottomRight: Point(x: 1090, y: 1650), bottomLeft: Point(x: 150, y: 1650))
        let page = StepInput(image: image, target: .page)
        #expect(try WholePicture(page, sheets: [sheet]).reason()?.contains("lettering") == true)
        #expect(try !crop(image).isChanged)
    }
}

@Suite struct ClaimedScaleTests {
    @Test(
        "A resolution that no scanner or fax has is not believed",
        arguments: [
            (72.0, 72.0), (96, 96), (72.009, 72.009), (95.9866, 95.9866),
            (71.12, 71.12), (96.52, 96.52), (1, 1), (65_535, 65_535),
            (44, 300), (1, 300), (300, 44),
        ])
    func doubted(_ x: Double, _ y: Double) {
        let scale = ClaimedScale(x: x, y: y, isStated: true)
        #expect(scale.x == nil && scale.y == nil)
        #expect(scale.doubt?.contains("is ignored") == true)
        let measured = ClaimedScale(x: x, y: y, isStated: false)
        #expect(measured.x == x && measured.y == y || (x / y - 1).magnitude <= 0.02)
    }

    @Test(
        "Resolutions of scanners and fax machines are believed",
        arguments: [(300.0, 300.0), (75, 75), (204, 98), (204, 196), (204, 391), (600, 300)])
    func believed(_ x: Double, _ y: Double) {
        let scale = ClaimedScale(x: x, y: y, isStated: true)
        #expect(scale.x == x && scale.y == y && scale.doubt == nil)
    }

    @Test("A difference due to rounding needs no resampling")
    func rounding() throws {
        let scale = ClaimedScale(x: 93, y: 92, isStated: true)
        #expect(scale.x == scale.y)
        #expect((92...93).contains(try #require(scale.x)))
    }

    @Test("A screen's resolution is ignored, and a missing resolution causes no doubt")
    func others() {
        #expect(ClaimedScale(x: 144, y: 144, isStated: true, isWorthless: true).x == nil)
        #expect(ClaimedScale(x: nil, y: nil, isStated: true).doubt == nil)
    }

    @Test(
        "The likeliest paper has the picture's proportions",
        arguments: [(1275, 1650, "Letter", 150.0), (1240, 1754, "A4", 150)])
    func likeliest(_ width: Int, _ height: Int, _ name: String, _ dpi: Double) {
        let found = ClaimedScale.likeliest(
            for: Raster(width: width, height: height, format: .gray8), target: .nothing)
        #expect((found.resolution - dpi).magnitude < 1)
        #expect(found.summary.contains("taken to be \(name)"))
    }
}
