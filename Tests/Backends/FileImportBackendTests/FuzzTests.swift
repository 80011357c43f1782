import CTIFF
import CaptureKit
import FileImportBackend
import Glibc
import Testing

/// Mutated files are imported, each format in a separate process, because the code under test is C.
@Suite struct FuzzTests {
    /// Small seeds, so that mutations hit headers as often as pixels.
    static func seeds(_ format: String, in scratch: Scratch) throws -> [[UInt8]] {
        var noise = Noise(seed: 60)
        let gray = (0..<24 * 16).map { UInt8($0 % 24 * 10) }
        let jpeg = try makeJPEG(width: 24, height: 16, gray: true, pixels: gray)
        let path = scratch.path + "/seed"
        switch format {
        case "jpeg":
            return [
                addingExif(exifBlock(orientation: 6, resolution: (300, 2)), to: jpeg),
                try makeJPEG(
                    width: 24, height: 16, gray: false, pixels: noise.bytes(24 * 48),
                    progressive: true),
            ]
        case "png":
            var palette = PNGFixture(
                width: 8, height: 4, depth: 4, colorType: 3,
                rows: (0..<4).map { _ in noise.bytes(4) })
            palette.extra = [
                ("PLTE", noise.bytes(48)), ("tRNS", noise.bytes(4)), ("pHYs", noise.bytes(9)),
            ]
            let deep = PNGFixture(
                width: 8, height: 4, depth: 16, colorType: 6,
                rows: (0..<4).map { _ in noise.bytes(64) })
            return [palette.bytes(), deep.bytes()]
        case "tiff":
            try writeTIFF(
                to: path, width: 24, height: 16, bits: 8, samples: 1,
                photometric: PHOTOMETRIC_MINISBLACK, compression: COMPRESSION_LZW,
                pages: [gray, gray])
            let lzw = try Scratch.read(path)
            try writeTIFF(
                to: path, width: 32, height: 32, bits: 1, samples: 1,
                photometric: PHOTOMETRIC_MINISWHITE, compression: COMPRESSION_CCITTFAX4, tile: 16,
                pages: [noise.bytes(128)])
            let fax = try Scratch.read(path)
            try writeTIFF(
                to: path, width: 24, height: 16, bits: 8, samples: 1,
                photometric: PHOTOMETRIC_MINISBLACK, compression: COMPRESSION_JPEG,
                rowsPerStrip: 16,
                pages: [gray])
            let palette = TIFFFixture([
                .init(
                    width: 4, height: 2, bits: 4, photometric: 3, pixels: noise.bytes(4),
                    orientation: 6,
                    palette: noise.bytes(96))
            ])
            return [lzw, fax, try Scratch.read(path), palette.bytes]
        case "pnm":
            return [
                Array("P2 3 2 15\n1 2 3\n# x\n4 5 6\n".utf8),
                Array("P6 3 2 65535\n".utf8) + noise.bytes(36),
                Array("P4 9 2\n".utf8) + noise.bytes(4),
            ]
        case "webp":
            return [try makeWebP(width: 9, height: 7, rgba: noise.bytes(9 * 7 * 4))]
        case "heif":
            try writeHEIF(to: path, width: 64, height: 64, pixels: noise.bytes(64 * 64 * 3))
            return [try Scratch.read(path)]
        case "gif", "bmp", "jp2", "jxl", "pam", "dng":
            return try made(format, in: scratch)
        default:
            let scan = PDFFixture.scan(
                PDFFixture.jpeg(width: 24, height: 16, space: "DeviceGray", jpeg), size: (72, 48))
            let raw = PDFFixture.scan(
                PDFFixture.raw(width: 24, height: 16, space: "DeviceGray", gray), size: (72, 48),
                rotate: 90)
            return [PDFFixture.bytes([scan, raw, .init(content: "BT /F1 9 Tf 5 5 Td (Hi) Tj ET")])]
        }
    }

    /// Small pictures of independent encoders.
    private static func made(_ format: String, in scratch: Scratch) throws -> [[UInt8]] {
        if format == "dng" { return [try Scratch.read(RawPictureTests.dng(scratch))] }
        try scratch.file("in.ppm", KnownPicture.gray.ppm)
        let commands = [
            "gif": [
                "convert in.ppm s0", "convert in.ppm -interlace plane \\( in.ppm -negate \\) s1",
            ],
            "bmp": [
                "convert in.ppm BMP3:s0", "convert in.ppm -colors 16 -compress RLE BMP3:s1",
                "convert in.ppm -alpha set BMP:s2",
            ],
            "jp2": [
                "opj_compress -i in.ppm -o s.jp2; mv s.jp2 s0",
                "opj_compress -i in.ppm -t 20,20 -n 3 -o s.j2k; mv s.j2k s1",
            ],
            "jxl": ["cjxl in.ppm s0 -d 0", "cjxl in.ppm s1 -d 2 --container=1"],
            "pam": ["convert in.ppm PAM:s0", "convert in.ppm -depth 16 -alpha set PAM:s1"],
        ][format, default: []]
        return try commands.enumerated().map { index, command in
            let named =
                format == "gif" ? command.replacing("s\(index)", with: "GIF:s\(index)") : command
            try make(in: scratch, named)
            return try Scratch.read(scratch.path + "/s\(index)")
        }
    }

    /// Flips, overwrites, cuts, repeats and swells a few places of `seed`.
    static func mutated(_ seed: [UInt8], _ noise: inout Noise) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...6, using: &noise) {
            guard bytes.count > 8 else { break }
            let at = Int.random(in: 0..<bytes.count, using: &noise)
            switch Int.random(in: 0..<6, using: &noise) {
            case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &noise)
            case 1: bytes[at] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF].randomElement(using: &noise) ?? 0
            case 2:
                bytes.removeSubrange(
                    at..<min(bytes.count, at + Int.random(in: 1...9, using: &noise)))
            case 3:
                bytes.insert(contentsOf: noise.bytes(Int.random(in: 1...9, using: &noise)), at: at)
            case 4:
                let end = min(bytes.count, at + 4)
                bytes.replaceSubrange(at..<end, with: noise.bytes(end - at))
            default:
                if Int.random(in: 0..<4, using: &noise) == 0 { bytes.removeSubrange(at...) }
            }
        }
        return bytes
    }

    /// Imports `count` mutations; each must give pages or a ``CaptureError``.
    static func fuzz(_ format: String, count: Int) async throws {
        // Mutations may claim any size, so memory is limited, and the process ends after a time.
        var limit = rlimit(rlim_cur: 4 << 30, rlim_max: 4 << 30)
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        let limits = ImportLimits(
            maximumPixels: 1_000_000, maximumDecodedBytes: 64 << 20, maximumPages: 50)
        let scratch = try Scratch()
        let seeds = try seeds(format, in: scratch)
        var noise = Noise(seed: 61)
        for number in 0..<count {
            let bytes = mutated(seeds[number % seeds.count], &noise)
            let path = try scratch.file("mutation-\(number % 2)", bytes)
            do {
                let recording = try await record(path, ["resolution": .integer(72)], limits: limits)
                guard !recording.pages.isEmpty, recording.unfinished == 0 else {
                    throw Unexpected("mutation \(number) ended without a page or an error")
                }
            } catch let error as CaptureError {
                guard !error.message.isEmpty else { throw Unexpected("an error without words") }
            }
        }
    }

    @Test(
        "Mutated files end in pages or an error, never in a crash",
        arguments: [
            "jpeg", "png", "tiff", "pnm", "webp", "heif", "pdf", "gif", "bmp", "jp2", "jxl", "pam",
            "dng",
        ])
    func mutations(format: String) async {
        await #expect(processExitsWith: .success) { [format] in
            try await FuzzTests.fuzz(format, count: 300)
        }
    }
}
