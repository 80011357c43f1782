import CV4L2
import CaptureKit
import Testing

@testable import V4L2Backend

/// Tests single pictures and the conversion of their pixels.
@Suite struct StillTests {
    private func form(
        _ route: FrameRoute, _ format: FourCC, _ width: Int, _ height: Int, stride: Int,
        fullRange: Bool = false, rec709: Bool = false
    ) throws -> FrameForm {
        var form = cv4l2_form()
        form.width = UInt32(width)
        form.height = UInt32(height)
        form.format = format.rawValue
        form.stride = UInt32(stride)
        form.size = 1 << 20
        form.planes = 1
        form.quantization = fullRange ? 1 : 2
        form.ycbcr = rec709 ? 2 : 1
        let made = try FrameForm(form, camera: "test")
        #expect(made.route == route)
        return made
    }

    private func picture(_ bytes: [UInt8], _ form: FrameForm) throws -> StillPicture {
        try bytes.withUnsafeBytes { try StillPicture($0, form) }
    }

    @Test(
        "Pure colors become the standards' values",
        arguments: [
            // Y, Cb, Cr, full range, BT.709 → red, green, blue: the primaries, by the standards'
            // own tables
            ([UInt8](arrayLiteral: 81, 90, 240), false, false, [UInt8](arrayLiteral: 255, 0, 0)),
            ([145, 54, 34], false, false, [0, 255, 0]),
            ([41, 240, 110], false, false, [0, 0, 255]),
            ([235, 128, 128], false, false, [255, 255, 255]),
            ([16, 128, 128], false, false, [0, 0, 0]),
            ([76, 85, 255], true, false, [255, 0, 0]),
            ([128, 128, 128], true, false, [128, 128, 128]),
            ([63, 102, 240], false, true, [255, 0, 0]), ([173, 42, 26], false, true, [0, 255, 0]),
        ])
    func colors(_ sample: [UInt8], _ full: Bool, _ rec709: Bool, _ expected: [UInt8]) throws {
        let (y, cb, cr) = (sample[0], sample[1], sample[2])
        let frames: [(FrameRoute, FourCC, Int, [UInt8])] = [
            (.native(.yuyv), .yuyv, 4, [y, cb, y, cr, y, cb, y, cr]),
            (.native(.uyvy), .uyvy, 4, [cb, y, cr, y, cb, y, cr, y]),
            (.native(.nv12), .nv12, 2, [y, y, y, y, cb, cr]),
        ]
        for (route, format, stride, bytes) in frames {
            let still = try picture(
                bytes,
                try form(
                    route, format, 2, 2, stride: stride, fullRange: full, rec709: rec709))
            #expect(still.pixels.count == 12)
            for (index, sample) in still.pixels.enumerated() {
                #expect(abs(Int(sample) - Int(expected[index % 3])) <= 2, "\(format)")
            }
        }
    }

    @Test("Padding between rows is left out, and odd sides are complete")
    func padding() throws {
        let gray = try picture(
            [1, 2, 3, 99, 99, 4, 5, 6],
            form(.native(.gray8), .grey, 3, 2, stride: 5, fullRange: true))
        #expect(gray.format == .gray8)
        #expect(gray.pixels == [1, 2, 3, 4, 5, 6])
        let swapped = try picture(
            [1, 2, 3, 4, 5, 6, 99, 7, 8, 9, 10, 11, 12],
            form(.swapped, .bgr24, 2, 2, stride: 7, fullRange: true))
        #expect(swapped.pixels == [3, 2, 1, 6, 5, 4, 9, 8, 7, 12, 11, 10])
        // 3 × 3 pixels: the last column and the last row have different colors.
        let odd = try picture(
            [16, 16, 16, 0, 16, 16, 16, 0, 16, 16, 235, 0, 128, 128, 128, 128, 128, 128, 128, 128],
            form(.native(.nv12), .nv12, 3, 3, stride: 4))
        #expect(odd.pixels == [UInt8](repeating: 0, count: 24) + [255, 255, 255])
    }

    @Test("A picture without Huffman tables gets them, and every reader can decode it")
    func tables() throws {
        let whole = Clips.picture(64, 48, 120)
        let bare = withoutTables(whole)
        try #require(bare.count < whole.count)
        let completed = JPEGTables.completed(bare)
        #expect(withoutTables(completed) == bare)
        // The encoder (libjpeg-turbo) writes the standard tables, so its files contain the expected
        // ones.
        #expect(Set(tables(of: completed)) == Set(tables(of: whole)))
        #expect(tables(of: completed).count == 4)
        #expect(JPEGTables.completed(whole) == whole)
    }

    @Test("Data that is not a JPEG picture stays unchanged", arguments: 0..<4)
    func hostileTables(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let good = withoutTables(Clips.picture(16, 16, 9))
        for _ in 0..<500 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            let made = JPEGTables.completed(bytes)
            #expect(
                made.count == bytes.count || made.count == bytes.count + JPEGTables.segments.count)
            bytes.withUnsafeBytes { _ = JPEGEnds.length(of: $0) }
        }
        #expect(JPEGTables.completed([]) == [])
        #expect(JPEGTables.completed([0xff]) == [0xff])
    }

    @Test("A picture ends at its last end mark, whatever pads the rest")
    func ends() {
        let picture = Clips.picture(16, 16, 9)
        for filling in [[], [0], [UInt8](repeating: 0, count: 1000), [0xff, 0xff, 0x00]] {
            (picture + filling).withUnsafeBytes {
                #expect(JPEGEnds.length(of: $0) == picture.count)
            }
        }
        picture.dropLast().withUnsafeBytes { #expect(JPEGEnds.length(of: $0) == nil) }
    }

    @Test(
        "A driver's description of its frames is checked",
        arguments: [
            (FourCC.yuyv, UInt32(0), UInt32(48), UInt32(1), UInt32(1)),
            (.yuyv, 64, 70_000, 1, 1), (.yuyv, .max, .max, 1, 1), (.yuyv, 64, 48, 2, 1),
            (.nv12, 64, 48, 1, 7), (FourCC("H264"), 64, 48, 1, 1),
        ])
    func wrongForms(
        _ format: FourCC, _ width: UInt32, _ height: UInt32, _ planes: UInt32, _ field: UInt32
    ) {
        var form = cv4l2_form()
        (form.width, form.height, form.format) = (width, height, format.rawValue)
        (form.planes, form.field, form.stride, form.size) = (planes, field, 128, 1 << 20)
        #expect(throws: CaptureError.self) { try FrameForm(form, camera: "test") }
    }

    @Test("A stride far beyond the rows is refused, and a missing one is computed")
    func strides() throws {
        var form = cv4l2_form()
        (form.width, form.height, form.format) = (64, 48, FourCC.yuyv.rawValue)
        (form.planes, form.field, form.stride) = (1, 1, .max)
        #expect(throws: CaptureError.self) { try FrameForm(form, camera: "test") }
        form.stride = 0
        #expect(try FrameForm(form, camera: "test").stride == 128)
    }

    // MARK: With a camera

    @Test("A still is the largest picture, decoded, with its original JPEG", .needsCamera)
    func still() async throws {
        let double = try CameraDouble([
            ["MJPG-64x48@30.bin": Clips.jpeg(64, 48), "MJPG-32x24@30.bin": Clips.jpeg(32, 24)]
        ])
        let camera = try await V4L2Backend(folder: double.nodes).open(double.node())
        _ = try await camera.set("warm-up", to: .number(0))
        let sink = RecordingSink()
        try await camera.capture(CaptureRequest(), into: sink)
        #expect(sink.frames.count == 1)
        let frame = try #require(sink.frames.first)
        #expect(frame.description.format == .rgb8)
        #expect((frame.description.width, frame.description.height) == (64, 48))
        let original = try #require(frame.original)
        let decoded = try JPEGStill.decode(original.bytes)
        #expect(decoded.pixels == frame.bytes)
        let more = RecordingSink()
        try await camera.capture(CaptureRequest(limit: 3), into: more)
        #expect(more.frames.count == 3)
    }

    @Test("A still that was damaged in transit is captured again", .needsCamera)
    func again() async throws {
        // The first of every eight pictures is truncated, but has an end mark: only decoding
        // reveals it.
        let good = Clips.picture(64, 48, 100)
        var noise = SeededGenerator(seed: 3)
        let detailed = Clips.encode(
            (0..<(64 * 48 * 3)).map { _ in UInt8.random(in: 0...255, using: &noise) }, 64, 48)
        let cut = Array(detailed.prefix(detailed.count / 2)) + [0xff, 0xd9]
        let double = try CameraDouble([
            ["MJPG-64x48@30.bin": cut + Array(repeating: good, count: 7).joined()]
        ])
        let camera = try await V4L2Backend(folder: double.nodes).open(double.node())
        _ = try await camera.set("warm-up", to: .number(0))
        let sink = RecordingSink()
        try await camera.capture(CaptureRequest(limit: 2), into: sink)
        #expect(sink.frames.count == 2)
        #expect(sink.frames.allSatisfy { abs(Int($0.bytes[0]) - 100) <= 2 })
    }

    private func tables(of picture: [UInt8]) -> [[UInt8]] { segments(picture).tables }

    private func withoutTables(_ picture: [UInt8]) -> [UInt8] { segments(picture).rest }

    /// The Huffman tables of a picture (DHT segments), and the picture without them.
    private func segments(_ picture: [UInt8]) -> (tables: [[UInt8]], rest: [UInt8]) {
        var tables: [[UInt8]] = []
        var result = Array(picture.prefix(2))
        var place = 2
        while place + 4 <= picture.count, picture[place + 1] != 0xda {
            let length = 2 + Int(picture[place + 2]) << 8 + Int(picture[place + 3])
            let segment = Array(picture[place..<(place + length)])
            if picture[place + 1] == 0xc4 { tables.append(segment) } else { result += segment }
            place += length
        }
        return (tables, result + picture[place...])
    }
}
