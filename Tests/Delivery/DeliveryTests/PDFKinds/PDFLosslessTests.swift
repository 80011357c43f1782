import Imaging
import Testing

@testable import Delivery

@Suite struct PDFLosslessTests {
    private let folder: TemporaryFolder
    private let path: String
    private let options: FileSinkOptions

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/a.pdf"
        var options = FileSinkOptions()
        options.pdf.compression = .lossless
        self.options = options
    }

    @Test(
        "With pdfimages, every pixel is returned",
        arguments: [PixelFormat.bilevel, .gray8, .rgb8], [(203, 111), (64, 1), (1, 64)])
    func exact(format: PixelFormat, size: (Int, Int)) throws {
        let picture = samplePicture(format, width: size.0, height: size.1)
        try deliver([samplePage(picture)], to: path, options: options)
        try expectSound(path)
        #expect(try run("pdfimages", "-png", path, folder.path + "/i").status == 0)
        let found = try Raster.decoded(from: try contents(folder.path + "/i-000.png")).converted(
            to: format)
        #expect(found.width == picture.width && found.height == picture.height)
        #expect(rows(of: found) == rows(of: picture))
    }

    @Test("Sixteen bits a sample stay sixteen", arguments: [PixelFormat.gray16, .rgb16])
    func deep(format: PixelFormat) throws {
        let picture = samplePicture(format, width: 61, height: 37)
        try deliver([samplePage(picture)], to: path, options: options)
        try expectSound(path)
        let listed = try run("qpdf", "--qdf", "--object-streams=disable", path, "-").output
        #expect(listed.contains("/BitsPerComponent 16"))
        let image = try #require(
            try run("pdfimages", "-list", path).output.split(separator: "\n").last?
                .split(separator: " ").map(String.init))
        let raw = folder.path + "/raw"
        // qpdf undoes the filters, including the predictor, and changes nothing else.
        let read = try run(
            "sh", "-c", "qpdf --show-object=$1 --filtered-stream-data \"$2\" > \"$3\"", "sh",
            image[10],
            path, raw)
        #expect(read.status == 0, "\(read)")
        let bytes = try contents(raw)
        let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        let wanted = rows(of: picture).withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
        #expect(samples == wanted)
    }

    @Test("Flat and smooth pages shrink by the filters, noise hardly grows")
    func sizes() throws {
        let smooth = try samplePicture(.rgb8).resized(to: 40, 56).resized(
            to: 620, 877, filter: .bilinear
        )
        .encodedFlate().bytes.count
        #expect(smooth * 3 < 620 * 877 * 3)
        let flat = try Raster(width: 620, height: 877, format: .rgb16).encodedFlate().bytes.count
        #expect(flat < 10_000)
    }

    @Test("A JPEG whose pixels are untouched stays that JPEG")
    func original() throws {
        let picture = samplePicture(.rgb8)
        let jpeg = try picture.encodedJPEG(quality: 93)
        try deliver([samplePage(picture, originalJPEG: jpeg)], to: path, options: options)
        #expect(try run("pdfimages", "-all", path, folder.path + "/i").status == 0)
        #expect(try contents(folder.path + "/i-000.jpg") == jpeg)
    }
}
