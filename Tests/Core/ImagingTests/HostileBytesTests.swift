import Testing

@testable import Imaging

/// Tests damaged files: the result is a picture of valid shape or an `ImagingError`, never a crash.
@Suite struct HostileBytesTests {
    enum Kind: String, CaseIterable, Sendable {
        case jpeg, reducedJPEG, png, tiff, tiffG4, pnm, pnmText, webp
    }

    static func file(_ kind: Kind) throws -> [UInt8] {
        let color = Raster.noise(30, 22, .rgb8, resolution: 300)
        return switch kind {
        case .jpeg, .reducedJPEG: try color.encodedJPEG()
        case .png: try color.encodedPNG()
        case .tiff: try color.encodedTIFF()
        case .tiffG4: try Raster.noise(50, 30, .bilevel).encodedTIFF()
        case .pnm: Array("P6 30 22 255\n".utf8) + color.samples.map { UInt8($0) }
        case .pnmText: Array(("P2\n7 5\n255\n" + (0..<35).map { "\($0) " }.joined()).utf8)
        case .webp: try color.encodedWebP()
        }
    }

    @Test("Damaged bytes give a picture or an error", arguments: Kind.allCases)
    func mutations(kind: Kind) throws {
        let original = try Self.file(kind)
        var generator = SeededGenerator(seed: 0xC0FFEE)
        let limits = DecodingLimits(maximumPixels: 2_000_000, maximumSide: 10_000)
        var refused = 0
        for round in 0..<400 {
            let bytes = damaged(original, round, &generator)
            do {
                let picture =
                    kind == .reducedJPEG
                    ? try Raster.decodedJPEG(
                        from: bytes, longSide: 3 << (round % 4), limits: limits)
                    : try Raster.decoded(from: bytes, limits: limits)
                #expect(picture.width > 0 && picture.width * picture.height <= 2_000_000)
                #expect(picture.histogram.reduce(0, +) == picture.width * picture.height)
            } catch {
                refused += 1
                #expect(!error.message.isEmpty)
            }
        }
        #expect(refused > 0)
    }

    @Test("A file cut anywhere gives a picture or an error", arguments: Kind.allCases)
    func prefixes(kind: Kind) throws {
        let original = try Self.file(kind)
        let limits = DecodingLimits(maximumPixels: 2_000_000)
        for length in stride(from: 0, to: original.count, by: max(1, original.count / 150)) {
            do {
                _ = try Raster.decoded(from: Array(original.prefix(length)), limits: limits)
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
        #expect(throws: ImagingError.self) {
            try Raster.decoded(from: Array(original.prefix(20)), limits: limits)
        }
    }

    @Test(
        "Random bytes behind each signature are refused or read",
        arguments: ImageFileFormat.allCases)
    func randomTails(format: ImageFileFormat) throws {
        let signatures: [ImageFileFormat: [UInt8]] = [
            .jpeg: [0xFF, 0xD8, 0xFF, 0xE0],
            .png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
            .tiff: [0x49, 0x49, 42, 0, 8, 0, 0, 0], .pnm: Array("P5\n".utf8),
            .webp: Array("RIFF\u{40}\u{0}\u{0}\u{0}WEBPVP8 ".utf8),
        ]
        let signature = try #require(signatures[format])
        #expect(ImageFileFormat(signatureOf: signature) == format)
        var generator = SeededGenerator(seed: 77)
        for _ in 0..<100 {
            let tail = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            do {
                _ = try Raster.decoded(
                    from: signature + tail, limits: DecodingLimits(maximumPixels: 1_000_000))
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
    }

    /// Flips, overwrites, cuts, repeats or removes a few bytes, mostly in the header, where the
    /// structure is.
    private func damaged(
        _ original: [UInt8], _ round: Int, _ generator: inout SeededGenerator
    ) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...6, using: &generator) where bytes.count > 12 {
            let reach = Bool.random(using: &generator) ? min(200, bytes.count) : bytes.count
            let at = Int.random(in: 8..<reach, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1: bytes[at] = UInt8.random(in: 0...255, using: &generator)
            case 2: bytes[at] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &generator)!
            case 3: bytes.removeSubrange(at..<min(bytes.count, at + 4))
            case 4: bytes.insert(contentsOf: original.prefix(5), at: at)
            default: if round % 4 == 0 { bytes.removeLast(bytes.count - at) }
            }
        }
        return bytes
    }
}
