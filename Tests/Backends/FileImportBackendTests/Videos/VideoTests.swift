import CaptureKit
import FileImportBackend
import Testing

@Suite struct VideoTests {
    // MARK: Containers, codecs and times

    static let kinds = [
        ("a.mp4", "-c:v libx264"), ("a.mov", "-c:v libx264 -bf 0"), ("a.mkv", "-c:v libx264"),
        ("a.avi", "-c:v libx264 -bf 0"), ("a.mp4", "-c:v libx265 -tag:v hvc1"),
        ("a.mov", "-c:v libx265 -pix_fmt yuv420p10le"), ("a.mkv", "-c:v libx265"),
        ("a.webm", "-c:v libvpx -b:v 2M"), ("a.webm", "-c:v libvpx-vp9 -b:v 2M"),
        ("a.mp4", "-c:v libvpx-vp9 -b:v 2M"), ("a.mkv", "-c:v libaom-av1 -cpu-used 8 -b:v 2M"),
        ("a.mp4", "-c:v libaom-av1 -cpu-used 8 -b:v 2M"), ("a.mp4", "-c:v mpeg4 -q:v 2"),
        ("a.avi", "-c:v mpeg4 -q:v 2"), ("a.3gp", "-c:v h263 -q:v 2"),
        ("a.mov", "-c:v mjpeg -q:v 2"), ("a.mkv", "-c:v mjpeg -q:v 2"),
        ("a.mp4", "-c:v libx264 -movflags frag_keyframe+empty_moov -g 4"),
    ]

    @Test("Every frame comes with its time, whatever the container and the codec", arguments: kinds)
    func everyFrame(name: String, options: String) async throws {
        let scratch = try Scratch()
        let path = try VideoFixture.make(name, options, in: scratch)
        let recording = try await record(path, mode: .live)
        let pages = recording.pages
        #expect(recording.skips.isEmpty && pages.count == 10)
        for (number, page) in pages.enumerated() {
            #expect(VideoFixture.error(of: page, number) <= 3)
            #expect(abs((page.description.time ?? -1) - Double(number) / 10) < 0.002)
            #expect(page.description.label == "\(name), frame \(number + 1)")
        }
    }

    @Test("The option 'rate' sets the frame rate, and a limit ends the video early")
    func rate() async throws {
        let scratch = try Scratch()
        let path = try VideoFixture.make("a.mp4", "-c:v libx264", in: scratch)
        let pages = try await record(path, ["rate": .number(2)], mode: .live, limit: 3).pages
        #expect(pages.map(\.description.time) == [0, 0.5, 1])
    }

    @Test("Frames at irregular times keep their times", arguments: ["a.mp4", "a.mkv"])
    func uneven(name: String) async throws {
        let scratch = try Scratch()
        let path = try VideoFixture.make(
            name,
            "-c:v libx264 -vf 'setpts=round((N+if(gte(N\\,3)\\,4\\,0))/10/TB)' -vsync passthrough",
            frames: 5, in: scratch)
        let times = try await record(path, mode: .live).pages.map { $0.description.time ?? -1 }
        #expect(times.count == 5)
        #expect(zip(times, [0, 0.1, 0.2, 0.7, 0.8]).allSatisfy { abs($0 - $1) < 0.002 })
    }

    @Test("The cover of a video and its sound are ignored")
    func cover() async throws {
        let scratch = try Scratch()
        _ = try VideoFixture.make("film.mp4", "-c:v libx264", in: scratch)
        try VideoFixture.run(
            "-f lavfi -i color=red:s=64x64:d=0.1 -frames:v 1 cover.jpg", in: scratch)
        try VideoFixture.run(
            """
            -i cover.jpg -i film.mp4 -f lavfi -i sine=d=1 -map 0 -map 2 -map 1 -c:v copy -c:a aac \
            -disposition:v:0 attached_pic a.mp4
            """, in: scratch)
        let pages = try await record(scratch.path + "/a.mp4", mode: .live).pages
        #expect(pages.count == 10)
        #expect(pages.enumerated().allSatisfy { VideoFixture.error(of: $1, $0) <= 3 })
    }

    // MARK: Rotation and size

    /// The EXIF number of a rotation, and MP4's matrix for the same rotation.
    static let turns = [
        (1, 1, 0, 0, 1), (2, -1, 0, 0, 1), (3, -1, 0, 0, -1), (4, 1, 0, 0, -1), (5, 0, 1, 1, 0),
        (6, 0, 1, -1, 0), (7, 0, -1, -1, 0), (8, 0, -1, 1, 0),
    ]

    @Test("Frames are turned and mirrored as the file says", arguments: turns)
    func turned(orientation: Int, a: Int, b: Int, c: Int, d: Int) async throws {
        let scratch = try Scratch()
        try VideoFixture.run(
            "-f lavfi -i testsrc=s=86x54:d=0.2:r=10 -pix_fmt yuv420p -c:v libx264 -qp 4 a.mp4",
            in: scratch)
        let file = try Scratch.read(scratch.path + "/a.mp4")
        let stored = try #require(
            try await record(scratch.path + "/a.mp4", mode: .live).pages.first
        ).bytes
        let path = try scratch.file(
            "t.mp4", try VideoFixture.turned(file, a: a, b: b, c: c, d: d))
        let page = try #require(try await record(path, mode: .live).pages.first)
        #expect(page.description.width == (orientation >= 5 ? 54 : 86))
        #expect(page.description.height == (orientation >= 5 ? 86 : 54))
        let light = shown(
            Array(stored[..<(86 * 54)]), width: 86, height: 54, orientation: orientation)
        let colors = shown(
            pixels(Array(stored[(86 * 54)...]), size: 2), width: 43, height: 27,
            orientation: orientation
        ).flatMap { $0 }
        #expect(mismatch(page.bytes, light + colors) == nil)
    }

    @Test("Odd sides keep their length, turned or not", arguments: [1, 6])
    func odd(orientation: Int) async throws {
        let scratch = try Scratch()
        try scratch.file("in.raw", [UInt8](repeating: 128, count: 35 * 21))
        try VideoFixture.run(
            "-f rawvideo -pix_fmt gray -s 35x21 -i in.raw -pix_fmt yuv420p -c:v libvpx-vp9 a.mp4",
            in: scratch)
        var file = try Scratch.read(scratch.path + "/a.mp4")
        if orientation == 6 { file = try VideoFixture.turned(file, a: 0, b: 1, c: -1, d: 0) }
        let page = try #require(
            try await record(try scratch.file("t.mp4", file), mode: .live).pages.first)
        #expect(page.description.width == (orientation == 6 ? 21 : 35))
        #expect(page.description.height == (orientation == 6 ? 35 : 21))
        // A gray of 128 is 126 in the range 16 to 235, also in the column that rounds the width up.
        #expect(page.bytes.allSatisfy { (124...130).contains($0) })
    }

    @Test(
        "Pixels that are not square become square",
        arguments: [("4/3", 128, 64), ("1/2", 96, 128), ("1001/1000", 96, 64)])
    func shape(ratio: String, width: Int, height: Int) async throws {
        let scratch = try Scratch()
        try VideoFixture.run(
            "-f lavfi -i testsrc=s=96x64:d=0.2:r=10 -pix_fmt yuv420p -vf setsar=\(ratio) -c:v libx264 a.mp4",
            in: scratch)
        let page = try #require(
            try await record(scratch.path + "/a.mp4", mode: .live).pages.first)
        #expect(page.description.width == width && page.description.height == height)
    }

    // MARK: Colors

    static let colors = ["bt709", "smpte170m", "bt2020nc"].flatMap { matrix in
        ["tv", "pc"].flatMap { range in
            ["yuv420p", "yuv420p10le", "yuv422p", "yuv444p"].map { (matrix, range, $0) }
        }
    }

    @Test("Colors are those that ffmpeg shows, within 3 levels", arguments: colors)
    func sameColors(matrix: String, range: String, form: String) async throws {
        let scratch = try Scratch()
        var noise = Noise(seed: 71)
        let patches = [[255, 255, 255], [0, 0, 0]] + (0..<46).map { _ in noise.bytes(3) }
        let picture = KnownPicture(width: 256, height: 192) { x, y in patches[y / 32 * 8 + x / 32] }
        try scratch.file("in.ppm", picture.ppm)
        let name = ["smpte170m": "bt601", "bt2020nc": "bt2020", "bt709": "bt709"][matrix] ?? ""
        let exact = "-sws_flags accurate_rnd+full_chroma_inp+full_chroma_int"
        try VideoFixture.run(
            """
            -loop 1 -t 0.2 -r 10 -i in.ppm \
            -vf scale=out_color_matrix=\(name):out_range=\(range):flags=accurate_rnd,format=\(form) \
            -c:v libx264 -qp 0 -colorspace \(matrix) -color_range \(range) a.mp4
            """, in: scratch)
        try VideoFixture.run("-i a.mp4 -frames:v 1 \(exact) -pix_fmt rgb24 out.ppm", in: scratch)
        let reference = Array(try Scratch.read(scratch.path + "/out.ppm").suffix(256 * 192 * 3))
        let page = try #require(
            try await record(scratch.path + "/a.mp4", mode: .live).pages.first)
        #expect(page.description.format == .nv12)
        for patch in 0..<48 {
            let (x, y) = (patch % 8 * 32 + 16, patch / 8 * 32 + 16)
            let expected = reference[((y * 256 + x) * 3)...].prefix(3)
            let got = Self.color(page.bytes, x, y)
            #expect(zip(got, expected).allSatisfy { abs($0 - Double($1)) <= 3 }, "\(patch)")
        }
    }

    /// The color of a pixel of NV12, by the formula of ITU-R BT.601.
    private static func color(_ bytes: [UInt8], _ x: Int, _ y: Int) -> [Double] {
        let light = (Double(bytes[y * 256 + x]) - 16) / 219
        let at = 256 * 192 + y / 2 * 256 + x / 2 * 2
        let (blue, red) = ((Double(bytes[at]) - 128) / 224, (Double(bytes[at + 1]) - 128) / 224)
        let (r, b) = (light + 1.402 * red, light + 1.772 * blue)
        let g = (light - 0.299 * r - 0.114 * b) / 0.587
        return [r, g, b].map { min(255, max(0, $0 * 255)) }
    }

    @Test("Gray videos are gray, black 0 and white 255", arguments: ["tv", "pc"])
    func gray(range: String) async throws {
        let scratch = try Scratch()
        let (black, white): (UInt8, UInt8) = range == "tv" ? (16, 235) : (0, 255)
        try scratch.file(
            "in.raw", (0..<2 * 64 * 64).map { $0 % 64 < 32 ? black : white })
        try VideoFixture.run(
            """
            -f rawvideo -pix_fmt gray -s 64x64 -r 10 -i in.raw -c:v libx265 \
            -x265-params log-level=none:lossless=1 -color_range \(range) a.mp4
            """, in: scratch)
        let page = try #require(
            try await record(scratch.path + "/a.mp4", mode: .live).pages.first)
        #expect(page.description.format == .gray8)
        #expect(
            mismatch(page.bytes, (0..<64 * 64).map { $0 % 64 < 32 ? 0 : 255 }) == nil)
    }

    @Test(
        "White paper in HDR is white with HLG; with PQ it is flat and reported",
        arguments: ["arib-std-b67", "smpte2084"])
    func brightRange(curve: String) async throws {
        let scratch = try Scratch()
        // ITU-R BT.2408: diffuse white at 75 % of HLG, which is 721 of 64 to 940.
        let levels = [UInt8](repeating: 180, count: 2 * 64 * 64)
        try scratch.file("in.raw", levels)
        try VideoFixture.run(
            """
            -f rawvideo -pix_fmt gray -s 64x64 -r 10 -color_range tv -i in.raw \
            -vf scale=in_range=tv:out_range=tv,format=yuv420p10le -c:v libx265 \
            -x265-params log-level=none:lossless=1 -colorspace bt2020nc -color_primaries bt2020 \
            -color_trc \(curve) a.mp4
            """, in: scratch)
        let page = try #require(
            try await record(scratch.path + "/a.mp4", mode: .live).pages.first)
        let level = curve == "smpte2084" ? 180 : 235
        #expect(page.bytes[..<(64 * 64)].allSatisfy { abs(Int($0) - level) <= 1 })
        #expect(page.bytes[(64 * 64)...].allSatisfy { abs(Int($0) - 128) <= 1 })
        #expect((page.description.problems != nil) == (curve == "smpte2084"))
    }
}
