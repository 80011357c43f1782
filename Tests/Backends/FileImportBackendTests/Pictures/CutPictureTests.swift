import CaptureKit
import FileImportBackend
import Testing

/// Truncated pictures of independent encoders, and pictures that claim to be huge.
@Suite struct CutPictureTests {
    static let formats: [(String, String)] = [
        ("gif", "convert in.ppm -colors 200 GIF:a"), ("bmp", "convert in.ppm BMP3:a"),
        ("bmp of runs", "convert in.ppm -colors 200 -compress RLE BMP3:a"),
        ("jp2", "opj_compress -i in.ppm -o a.jp2; mv a.jp2 a"), ("jxl", "cjxl in.ppm a -d 0"),
        ("lossy jxl", "cjxl in.ppm a -d 1"),
        ("pam", "convert in.ppm PAM:a"), ("ppm", "convert in.ppm PPM:a"),
        ("plain ppm", "convert in.ppm -compress none PPM:a"),
        ("deep pgm", "convert in.ppm -colorspace gray -depth 16 PGM:a"),
        ("pbm", "convert in.ppm -threshold 50% PBM:a"),
        ("plain pbm", "convert in.ppm -threshold 50% -compress none PBM:a"),
        ("webp", "convert in.ppm WEBP:a"),
        ("lossless webp", "convert in.ppm -define webp:lossless=true WEBP:a"),
        ("webp with alpha", "convert in.ppm -channel A -fx 0.5 WEBP:a"),
        ("jpeg", "cjpeg -outfile a in.ppm"),
        ("progressive jpeg", "cjpeg -progressive -outfile a in.ppm"),
        ("png", "convert in.ppm PNG:a"),
        ("avif", "convert in.ppm PNG24:b.png; heif-enc -A b.png -o a.avif; mv a.avif a"),
        ("heic", "convert in.ppm PNG24:b.png; heif-enc b.png -o a.heic; mv a.heic a"),
        ("tiff", "convert in.ppm -compress lzw TIFF:a"),
    ]

    @Test(
        "A picture cut at every sixteenth is a damaged page or an error, never complete",
        arguments: formats)
    func cut(name: String, commands: String) async throws {
        let scratch = try Scratch()
        var noise = Noise(seed: 40)
        let grain = noise.bytes(128 * 128)
        let picture = KnownPicture(width: 128, height: 128) { x, y in
            [grain[y * 128 + x], UInt8(x), UInt8(y)]
        }
        try scratch.file("in.ppm", picture.ppm)
        try make(in: scratch, commands)
        let whole = try Scratch.read(scratch.path + "/a")
        #expect(try await record(scratch.path + "/a").pages.map(\.description.problems) == [nil])
        var delivered = 0
        for part in 1...15 {
            let path = try scratch.file("cut", Array(whole.prefix(whole.count * part / 16)))
            do {
                let page = try #require(try await record(path).pages.first)
                #expect(page.description.width == 128 && page.description.height == 128)
                #expect(
                    page.description.problems?.first?.contains("damaged") == true, "\(part) of 16")
                delivered += 1
                #expect(try await failure(path, ["strict": .bool(true)]).code == .damagedData)
            } catch let error as CaptureError {
                #expect([.damagedData, .unsupported].contains(error.code), "\(error)")
                if ["avif", "heic"].contains(name), part > 8 {
                    #expect(error.message.contains("ends before its picture does"), "\(error)")
                }
            }
        }
        // If a library returns rows of a truncated picture, these are delivered.
        let isGivenInPart = !["avif", "heic", "tiff", "jxl", "lossy jxl"].contains(name)
        #expect(!isGivenInPart || delivered >= 4, "\(delivered)")
    }

    @Test("A truncated JPEG XL of several parts is read as far as possible")
    func parts() async throws {
        let scratch = try Scratch()
        let picture = KnownPicture(width: 600, height: 600) { x, y in
            [UInt8(x * y & 255), UInt8(x & 255), UInt8(y & 255)]
        }
        try scratch.file("in.ppm", picture.ppm)
        try make(in: scratch, "cjxl in.ppm a -d 0.5")
        let whole = try Scratch.read(scratch.path + "/a")
        let page = try await damagedPage(
            scratch.file("cut", Array(whole.prefix(whole.count * 3 / 4))))
        #expect(page.description.width == 600)
    }

    /// Headers of pictures with a side of 20,000 to 60,000 pixels, and almost no data after them.
    static var giants: [(String, [UInt8])] {
        let gif =
            Array("GIF89a".utf8) + little16(60_000) + little16(6_000) + [
                0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2C,
            ]
            + little16(0) + little16(0) + little16(60_000) + little16(6_000) + [
                0, 2, 1, 0x44, 0, 0x3B,
            ]
        let bmp =
            Array("BM".utf8) + little32(70) + little32(0) + little32(54) + little32(40)
            + little32(60_000)
            + little32(30_000) + little16(1) + little16(24) + [UInt8](repeating: 0, count: 40)
        let size: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51] + big16(47) + big16(0)
        let jp2 =
            size + big32(60_000) + big32(6_000) + big32(0) + big32(0) + big32(60_000) + big32(6_000)
            + big32(0)
            + big32(0) + big16(3) + [7, 1, 1, 7, 1, 1, 7, 1, 1] + [0xFF, 0x52] + big16(12)
            + [0, 0, 0, 1, 0, 5, 4, 4, 0, 1] + [0xFF, 0x5C] + big16(19)
            + [UInt8](repeating: 0x40, count: 17)
            + [0xFF, 0x90] + big16(10) + [0, 0, 0, 0, 0, 14, 0, 1, 0xFF, 0x93, 0xFF, 0xD9]
        let pam = Array(
            "P7\nWIDTH 60000\nHEIGHT 6000\nDEPTH 3\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\nxxx".utf8)
        return [("gif", gif), ("bmp", bmp), ("jp2", jp2), ("pam", pam)]
    }

    @Test("A few bytes that claim to be a huge picture are refused", arguments: giants)
    func giant(name: String, bytes: [UInt8]) async throws {
        let scratch = try Scratch()
        let error = try await failure(scratch.file("a", bytes))
        #expect([.tooLarge, .damagedData].contains(error.code), "\(error)")
    }
}
