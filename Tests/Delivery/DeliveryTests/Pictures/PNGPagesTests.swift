import Imaging
import Testing

@testable import Delivery

@Suite struct PNGPagesTests {
    @Test(
        "ImageMagick reads back every sample of a PNG, with as many bits",
        arguments: [
            (PixelFormat.bilevel, "1 1"), (.gray8, "8 1"), (.gray16, "16 1"), (.rgb8, "8 3"),
            (.rgb16, "16 3"),
        ])
    func exact(format: PixelFormat, stored: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.png"
        let picture = samplePicture(format, width: 61, height: 37)
        try deliver([samplePage(picture)], to: path)
        // The header has the color type (PNG, third edition, 11.2.1): 0 for gray, 2 for color.
        let head = try contents(path)
        #expect("\(head[24]) \(head[25] == 2 ? 3 : 1)" == stored)
        let isDeep = format == .gray16 || format == .rgb16
        let raw = folder.path + "/raw"
        let read = try run(
            "convert", path, "-depth", isDeep ? "16" : "8", "-endian", "LSB",
            (format.channels == 3 ? "rgb:" : "gray:") + raw)
        #expect(read.status == 0, "\(read)")
        let wanted = format == .bilevel ? picture.converted(to: .gray8) : picture
        #expect(try contents(raw) == rows(of: wanted))
    }

    @Test("A PNG has the dots per inch")
    func resolution() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.png"
        let picture = samplePicture(.gray8, width: 61, height: 37)
        try deliver([samplePage(picture, resolution: 240)], to: path)
        let told = try run("identify", "-units", "PixelsPerInch", "-format", "%x", path).output
        #expect(abs((Double(told) ?? 0) - 240) < 0.1)
    }
}
