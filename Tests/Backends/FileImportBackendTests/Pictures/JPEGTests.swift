import CaptureKit
import Testing

@Suite struct JPEGTests {
    private static let width = 37
    private static let height = 21

    /// A smooth picture, so that the turn is compared and not the compression.
    private static func colors(gray: Bool) -> [UInt8] {
        var samples: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                samples.append(UInt8(x * 6))
                if !gray { samples += [UInt8(y * 12), UInt8(255 - x * 3)] }
            }
        }
        return samples
    }

    @Test(
        "A JPEG's pixels are those of its decoder, and its own bytes are passed on",
        arguments: [true, false])
    func plain(gray: Bool) async throws {
        let scratch = try Scratch()
        let jpeg = try makeJPEG(
            width: Self.width, height: Self.height, gray: gray, pixels: Self.colors(gray: gray))
        let page = try #require(try await record(scratch.file("a.jpg", jpeg)).pages.first)
        #expect(page.description.format == (gray ? .gray8 : .rgb8))
        #expect(page.description.width == Self.width)
        #expect(page.description.height == Self.height)
        #expect(page.description.label == "a.jpg")
        #expect(
            try mismatch(
                page.bytes, decodedJPEG(jpeg, width: Self.width, height: Self.height, gray: gray))
                == nil)
        #expect(page.original?.mediaType == "image/jpeg")
        #expect(mismatch(page.original?.bytes ?? [], jpeg) == nil)
    }

    @Test("A progressive JPEG is passed on too")
    func progressive() async throws {
        let scratch = try Scratch()
        let jpeg = try makeJPEG(
            width: Self.width, height: Self.height, gray: false, pixels: Self.colors(gray: false),
            progressive: true)
        let page = try #require(try await record(scratch.file("a.jpg", jpeg)).pages.first)
        #expect(mismatch(page.original?.bytes ?? [], jpeg) == nil)
    }

    @Test("Every EXIF orientation is applied to the pixels", arguments: 1...8)
    func orientation(_ orientation: Int) async throws {
        let scratch = try Scratch()
        let plain = try makeJPEG(
            width: Self.width, height: Self.height, gray: false, pixels: Self.colors(gray: false))
        let jpeg = addingExif(
            exifBlock(orientation: orientation, resolution: (300, 2)), to: plain)
        let page = try #require(try await record(scratch.file("a.jpg", jpeg)).pages.first)
        let stored = try decodedJPEG(plain, width: Self.width, height: Self.height, gray: false)
        let expected = shown(
            pixels(stored, size: 3), width: Self.width, height: Self.height,
            orientation: orientation)
        #expect(page.description.width == (orientation < 5 ? Self.width : Self.height))
        #expect(mismatch(page.bytes, expected.flatMap { $0 }) == nil)
        #expect((page.original != nil) == (orientation == 1))
        #expect(page.description.resolution == Resolution(x: 300))
    }

    @Test("The resolution comes from the JFIF header, in inches or centimeters")
    func density() async throws {
        let scratch = try Scratch()
        let jpeg = try makeJPEG(
            width: 8, height: 8, gray: true, pixels: .init(repeating: 9, count: 64))
        let inches = try await record(
            scratch.file("inch", settingDensity(200, unit: 1, in: jpeg)))
        #expect(inches.pages.first?.description.resolution == Resolution(x: 200))
        let centimeters = try await record(
            scratch.file("cm", settingDensity(100, unit: 2, in: jpeg)))
        #expect(centimeters.pages.first?.description.resolution == Resolution(x: 254))
        let unknown = try await record(scratch.file("none", settingDensity(1, unit: 0, in: jpeg)))
        #expect(unknown.pages.first.map { $0.description.resolution == nil } == true)
    }

    @Test("Only a file without a resolution gets the assumed one")
    func assumedResolution() async throws {
        let scratch = try Scratch()
        let jpeg = try makeJPEG(
            width: 8, height: 8, gray: true, pixels: .init(repeating: 9, count: 64))
        let bare = try scratch.file("none", settingDensity(1, unit: 0, in: jpeg))
        let named = try scratch.file("inch", settingDensity(200, unit: 1, in: jpeg))
        let options = ["assumed-resolution": OptionValue.integer(150)]
        #expect(
            try await record(bare, options).pages[0].description.resolution == Resolution(x: 150))
        #expect(
            try await record(named, options).pages[0].description.resolution == Resolution(x: 200))
    }

    @Test("Bytes after the picture, such as a phone's clip, are not passed on")
    func trailer() async throws {
        let scratch = try Scratch()
        let jpeg = try makeJPEG(
            width: 8, height: 8, gray: true, pixels: .init(repeating: 9, count: 64))
        let path = try scratch.file("a.jpg", jpeg + Array("ftypmp42 a clip".utf8))
        let original = try await record(path).pages.first?.original
        #expect(mismatch(original?.bytes ?? [], jpeg) == nil)
    }

    @Test(
        "A truncated JPEG is read as far as possible, and the missing part is white",
        arguments: [0.3, 0.6, 0.9, 0.999])
    func truncated(part: Double) async throws {
        let scratch = try Scratch()
        var noise = Noise(seed: 7)
        let jpeg = try makeJPEG(
            width: 128, height: 128, gray: true, pixels: noise.bytes(128 * 128))
        let path = try scratch.file("cut.jpg", Array(jpeg.prefix(Int(Double(jpeg.count) * part))))
        let page = try await damagedPage(path)
        let whole = try decodedJPEG(jpeg, width: 128, height: 128, gray: true)
        // Rows come in blocks of 8; the one that ends, and its neighbors, may differ.
        let rows = max(0, Int(128 * part) - 24)
        #expect(
            mismatch(Array(page.bytes.prefix(rows * 128)), Array(whole.prefix(rows * 128))) == nil)
        if part < 0.8 { #expect(page.bytes.suffix(128).allSatisfy { $0 == 255 }) }
    }

    @Test("A JPEG that lacks only its end marker is complete, and gets the marker")
    func missingEnd() async throws {
        let scratch = try Scratch()
        let jpeg = try makeJPEG(
            width: 16, height: 16, gray: true, pixels: .init(repeating: 9, count: 256))
        let page = try #require(
            try await record(scratch.file("a.jpg", Array(jpeg.dropLast(2)))).pages.first)
        #expect(
            mismatch(page.bytes, try decodedJPEG(jpeg, width: 16, height: 16, gray: true)) == nil)
        #expect(mismatch(page.original?.bytes ?? [], jpeg) == nil)
    }

    @Test("A JPEG with a hole in its data is damaged")
    func hole() async throws {
        let scratch = try Scratch()
        var noise = Noise(seed: 8)
        let jpeg = try makeJPEG(
            width: 128, height: 128, gray: true, pixels: noise.bytes(128 * 128))
        let middle = jpeg.count / 2
        let holed = Array(jpeg[..<middle] + jpeg[(middle + 500)...])
        let page = try await damagedPage(scratch.file("hole.jpg", holed))
        #expect(page.bytes.count == 128 * 128)
    }

    @Test("A JPEG with stray bytes between its segments is complete", arguments: [1, 4, 16])
    func stray(count: Int) async throws {
        let scratch = try Scratch()
        let jpeg = try makeJPEG(
            width: 64, height: 48, gray: false,
            pixels: KnownPicture(width: 64, height: 48) { x, y in [UInt8(x), UInt8(y), 9] }.samples)
        // Before the tables, whose marker is DB (T.81, B.2.4.1).
        let tables = try #require(
            (0..<jpeg.count - 1).first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xDB })
        let page = try #require(
            try await record(
                scratch.file(
                    "a.jpg", jpeg[..<tables] + [UInt8](repeating: 0, count: count) + jpeg[tables...]
                )
            ).pages.first)
        #expect(
            mismatch(page.bytes, try decodedJPEG(jpeg, width: 64, height: 48, gray: false)) == nil)
        #expect(page.description.problems == nil)
        // A JPEG that other readers may refuse is not passed on.
        #expect(page.original == nil)
    }

    @Test(
        "Unusual chroma sampling is decoded",
        arguments: ["4x2,1x1,1x1", "1x4,1x1,1x1", "2x2,2x1,2x1", "3x1,1x1,1x1"])
    func sampling(factors: String) async throws {
        let scratch = try Scratch()
        try scratch.file("in.ppm", KnownPicture.bands.ppm)
        try make(
            in: scratch,
            "cjpeg -quality 95 -sample \(factors) -outfile a.jpg in.ppm; djpeg -ppm -outfile out.ppm a.jpg"
        )
        let page = try #require(try await record(scratch.path + "/a.jpg").pages.first)
        let expected = try await record(scratch.path + "/out.ppm").pages.first
        #expect(mismatch(page.bytes, expected?.bytes ?? []) == nil)
        #expect(page.original == nil)
    }

    @Test(
        "For a file of several pictures, a message says that the page is the first one, unless the others belong to it",
        arguments: [("i.rotate(180)", true), ("i.resize((12, 8))", false)])
    func several(other: String, isTold: Bool) async throws {
        let scratch = try Scratch()
        try scratch.file("in.ppm", KnownPicture.steps.ppm)
        try make(
            in: scratch,
            "/usr/bin/python3 -c \"from PIL import Image; i = Image.open('in.ppm'); i.save('a.mpo', save_all=True, append_images=[\(other)])\""
        )
        let recording = try await record(scratch.path + "/a.mpo")
        #expect(recording.pages.count == 1)
        let told = "The file has several pictures; the page is its first."
        #expect(recording.pages[0].description.problems == (isTold ? [told] : nil))
    }
}
