import ContractSupport
import ESCL
import Glibc
import Imaging
import Testing

@testable import HTTPServer
@testable import ScannerSharing

/// Tests pictures as files, which are read by the library of the rest of the program.
@Suite struct PictureFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The bytes of a file that clients get.
    private func bytes(of document: ScannedDocument) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: document.file.count)
        let copy = document.file.duplicate()
        defer { close(copy) }
        #expect(pread(copy, &bytes, bytes.count, 0) == bytes.count)
        return bytes
    }

    /// The contents of pictures: only noise, one tone, runs of every length, a few tones, stripes.
    enum Content: CaseIterable {
        case noise, plain, runs, tones, stripes
    }

    private func picture(
        _ content: Content, _ format: PixelFormat, width: Int, height: Int,
        using generator: inout SystemRandomNumberGenerator
    ) -> Raster {
        var raster = Raster(width: width, height: height, format: format, resolution: 300)
        let stride = raster.stride
        raster.withMutableBytes { bytes in
            var (run, value) = (0, UInt8(0))
            for index in bytes.indices {
                switch content {
                case .noise: bytes[index] = .random(in: 0...255, using: &generator)
                case .plain: bytes[index] = 255
                case .runs:
                    if run == 0 {
                        run = .random(in: 1...(Bool.random(using: &generator) ? 12 : 900))
                        value = .random(in: 0...255, using: &generator)
                    }
                    run -= 1
                    bytes[index] = value
                case .tones: bytes[index] = .random(in: 0...2, using: &generator)
                case .stripes: bytes[index] = index / stride % 3 == 0 ? 0 : 255
                }
            }
        }
        return raster
    }

    @Test(
        "A PNG has exactly the scanned pixels, and is hardly larger",
        arguments: Content.allCases, [PixelFormat.gray8, .rgb8])
    func lossless(_ content: Content, _ format: PixelFormat) throws {
        var generator = SystemRandomNumberGenerator()
        for width in [1, 2, 3, 7, 8, 12, 257, 258, 259, 260, 261, 700, 2481] {
            let raster = picture(content, format, width: width, height: 40, using: &generator)
            let document = try ScannedDocument(
                raster, as: .png, resolution: 300, in: folder.path)
            let file = bytes(of: document)
            let read = try Raster.decoded(from: file).converted(to: format)
            #expect(read.width == width && read.height == 40)
            #expect(Self.rows(read) == Self.rows(raster), "\(content) \(width)")
            let pixels = raster.width * raster.height * format.bitsPerPixel / 8
            #expect(file.count < pixels + pixels / 20 + 600)
            if content == .plain { #expect(file.count < pixels / 100 + 600) }
        }
    }

    @Test("A known resolution is in the file") func resolution() throws {
        let raster = Raster(width: 10, height: 10, format: .gray8, resolution: 200)
        let document = try ScannedDocument(raster, as: .png, resolution: 300, in: folder.path)
        let read = try Raster.decoded(from: bytes(of: document))
        #expect(abs((read.resolution ?? 0) - 200) < 0.1)
    }

    @Test("A client that reads only three channels gets three for gray") func three() throws {
        let raster = Raster(width: 10, height: 10, format: .gray8, resolution: 200)
        let document = try ScannedDocument(
            raster, as: .png, needsColors: true, resolution: 300, in: folder.path)
        // The color type, after the signature, a length, a name, two sides and the depth.
        #expect(bytes(of: document)[25] == 2)
    }

    /// The pixels without the padding of rows.
    private static func rows(_ raster: Raster) -> [UInt8] {
        let row = raster.format.minimumStride(width: raster.width)
        return raster.withBytes { bytes in
            (0..<raster.height).flatMap { bytes[($0 * raster.stride)..<($0 * raster.stride + row)] }
        }
    }
}
