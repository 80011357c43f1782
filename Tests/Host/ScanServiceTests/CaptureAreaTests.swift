import Imaging
import Testing

@testable import ScanService

@Suite struct CaptureAreaTests {
    static let areas: [(CaptureArea, PixelRect?)] = [
        (
            .pixels(x: 10, y: 20, width: 30, height: 40),
            PixelRect(x: 10, y: 20, width: 30, height: 40)
        ),
        (
            .pixels(x: 600, y: 0, width: 300, height: 40),
            PixelRect(x: 600, y: 0, width: 40, height: 40)
        ),
        (.pixels(x: 640, y: 0, width: 10, height: 10), nil),
        (.pixels(x: .max, y: 0, width: .max, height: 10), nil),
        (
            .parts(x: 0.5, y: 0, width: 0.5, height: 1),
            PixelRect(x: 320, y: 0, width: 320, height: 480)
        ),
        (.parts(x: 0, y: 0, width: 1, height: 1), PixelRect(x: 0, y: 0, width: 640, height: 480)),
        (.parts(x: 1, y: 0, width: 0.5, height: 1), nil),
        (.aspect(8), PixelRect(x: 0, y: 200, width: 640, height: 80)),
        (.aspect(0.5), PixelRect(x: 200, y: 0, width: 240, height: 480)),
        (.aspect(1e9), PixelRect(x: 0, y: 239, width: 640, height: 1)),
        (.aspect(.nan), nil),
    ]

    @Test("An area consists of its pixels within the picture", arguments: areas)
    func rectangle(area: CaptureArea, expected: PixelRect?) {
        #expect(area.rectangle(inPictureOf: 640, by: 480) == expected)
    }

    @Test(
        "Any aspect gives a rectangle of that shape around the middle, as large as fits",
        arguments: 1...40)
    func aspects(step: Int) throws {
        let aspect = Double(step) / 8
        let area = try #require(CaptureArea.aspect(aspect).rectangle(inPictureOf: 1000, by: 700))
        #expect(abs(Double(area.width) / Double(area.height) / aspect - 1) < 0.02)
        #expect(area.width == 1000 || area.height == 700)
        #expect(
            abs(2 * area.x + area.width - 1000) <= 1 && abs(2 * area.y + area.height - 700) <= 1)
    }
}
