import Testing

@testable import V4L2Backend

/// Tests the choice of a mode with the lists of common cameras, as makers and users have published
/// them (`v4l2-ctl --list-formats-ext`).
@Suite struct ModeChoiceTests {
    /// The modes of a camera: format, width, height, frames per second.
    struct Camera: Sendable, CustomTestStringConvertible {
        let name: String
        let modes: [CameraMode]
        var testDescription: String { name }

        init(_ name: String, _ modes: [(FourCC, Int, Int, [Double])]) {
            self.name = name
            self.modes = modes.map { format, width, height, rates in
                CameraMode(
                    format, FrameSize(width: width, height: height),
                    rates.compactMap { FrameInterval(1_000_000, UInt32($0 * 1_000_000)) })
            }
        }
    }

    private static let slow: [Double] = [30, 24, 20, 15, 10, 7.5, 5]

    /// Logitech C920: raw pictures are slow above 720p; 2304 × 1536 raw has two frames a second.
    static let c920 = Camera(
        "Logitech C920",
        [
            (.yuyv, 640, 480, slow), (.yuyv, 1280, 720, [10, 7.5, 5]), (.yuyv, 1920, 1080, [5]),
            (.yuyv, 2304, 1296, [2]), (.yuyv, 2304, 1536, [2]), (.motionJPEG, 640, 480, slow),
            (.motionJPEG, 1280, 720, slow), (.motionJPEG, 1920, 1080, slow),
            (FourCC("H264"), 1920, 1080, slow),
        ])

    /// IPEVO V4K, a document camera: Motion JPEG up to 3264 × 2448.
    static let ipevo = Camera(
        "IPEVO V4K",
        [
            (.motionJPEG, 3264, 2448, [15]), (.motionJPEG, 3264, 1836, [30]),
            (.motionJPEG, 1920, 1080, [30]), (.motionJPEG, 1280, 720, [30]),
            (.yuyv, 1920, 1080, [3]), (.yuyv, 640, 480, [30]),
        ])

    /// CZUR Aura: 14 megapixels, Motion JPEG only at low rates.
    static let czur = Camera(
        "CZUR Aura",
        [
            (.motionJPEG, 4320, 3240, [8]), (.motionJPEG, 2592, 1944, [15]),
            (.motionJPEG, 1536, 1152, [20]), (.motionJPEG, 1024, 768, [20]),
            (.yuyv, 1024, 768, [5]),
        ])

    /// A laptop's camera with a second, gray sensor for face recognition under the same node.
    static let laptop = Camera(
        "laptop",
        [
            (.grey, 640, 360, [30]), (.yuyv, 640, 480, [30]), (.yuyv, 640, 360, [15]),
            (.yuyv, 1280, 720, [10]), (.motionJPEG, 1280, 720, [30]),
        ])

    /// A USB 3 HDMI grabber (MS2130 and the like): raw NV12 and YUYV at full rate, with the
    /// broadcast rates.
    static let grabber = Camera(
        "HDMI grabber",
        [
            (.yuyv, 1920, 1080, [60, 59.94, 50, 30, 29.97]), (.nv12, 1920, 1080, [60, 30]),
            (.motionJPEG, 1920, 1080, [60, 30]), (.yuyv, 1280, 720, [60]),
        ])

    /// A camera of a phone's or board's image processor; its driver reports no rates and one
    /// private format.
    static let board = Camera(
        "board",
        [(.nv12, 3264, 2448, []), (.nv12, 1600, 1200, []), (FourCC("BG10"), 3264, 2448, [])])

    private func chosen(_ camera: Camera, _ size: String, _ rate: Double) throws -> String {
        let size = try #require(FrameSize(size))
        guard let choice = ModeChoice.live(camera.modes, size: size, rate: rate) else {
            return "none"
        }
        return "\(choice.mode.format) \((choice.rate * 100).rounded() / 100)"
    }

    @Test(
        "The frame rate has priority over the format",
        arguments: [
            (c920, "1280x720", 30, "MJPEG 30.0"), (c920, "1280x720", 10, "YUYV 10.0"),
            (c920, "1280x720", 8, "YUYV 10.0"), (c920, "1280x720", 5, "YUYV 5.0"),
            (c920, "1920x1080", 30, "MJPEG 30.0"), (c920, "640x480", 30, "YUYV 30.0"),
            (c920, "1920x1080", 22, "MJPEG 24.0"), (c920, "2304x1536", 30, "YUYV 2.0"),
            (c920, "800x600", 30, "none"), (ipevo, "1920x1080", 30, "MJPEG 30.0"),
            (ipevo, "3264x2448", 30, "MJPEG 15.0"), (czur, "1024x768", 20, "MJPEG 20.0"),
            (czur, "1024x768", 5, "YUYV 5.0"), (laptop, "1280x720", 30, "MJPEG 30.0"),
            (laptop, "640x360", 30, "YUYV 15.0"), (grabber, "1920x1080", 30, "NV12 30.0"),
            (grabber, "1920x1080", 60, "NV12 60.0"), (grabber, "1280x720", 30, "YUYV 60.0"),
            (board, "1600x1200", 30, "NV12 30.0"),
        ])
    func live(_ camera: Camera, _ size: String, _ rate: Int, _ expected: String) throws {
        #expect(try chosen(camera, size, Double(rate)) == expected)
    }

    @Test("29.97 frames per second count as 30")
    func broadcast() throws {
        let camera = Camera("", [(.yuyv, 720, 576, [59.94, 29.97])])
        #expect(try chosen(camera, "720x576", 30) == "YUYV 29.97")
    }

    @Test(
        "Live frames are large and fast by default",
        arguments: [
            (c920, "1920x1080"), (ipevo, "1920x1080"), (czur, "1536x1152"), (laptop, "1280x720"),
            (grabber, "1920x1080"), (board, "1600x1200"),
        ])
    func liveSize(_ camera: Camera, _ expected: String) {
        #expect(ModeChoice.liveSize(camera.modes)?.description == expected)
    }

    @Test("If no format is fast, the fastest is used")
    func slowCamera() {
        let camera = Camera("", [(.yuyv, 1600, 1200, [5]), (.yuyv, 800, 600, [7.5])])
        #expect(ModeChoice.liveSize(camera.modes)?.description == "800x600")
    }

    @Test("If all sizes are large, the fastest is used")
    func largeCamera() {
        let camera = Camera("", [(.motionJPEG, 3840, 2160, [30]), (.nv12, 4096, 3072, [5])])
        #expect(ModeChoice.liveSize(camera.modes)?.description == "3840x2160")
    }

    @Test(
        "A still is the largest picture, raw if that does not take long",
        arguments: [
            (c920, "2304x1536", "YUYV 2.0"), (ipevo, "3264x2448", "MJPEG 15.0"),
            (czur, "4320x3240", "MJPEG 8.0"), (laptop, "1280x720", "YUYV 10.0"),
            (grabber, "1920x1080", "NV12 60.0"), (board, "3264x2448", "NV12 30.0"),
        ])
    func still(_ camera: Camera, _ size: String, _ expected: String) throws {
        let largest = try #require(ModeChoice.stillSize(camera.modes))
        #expect(largest.description == size)
        let choice = try #require(ModeChoice.still(camera.modes, size: largest))
        #expect("\(choice.mode.format) \((choice.rate * 100).rounded() / 100)" == expected)
    }

    @Test("A compressed still replaces a slow raw one, and a single slow one is used")
    func slowStill() throws {
        let size = try #require(FrameSize("1920x1080"))
        #expect(ModeChoice.still(Self.ipevo.modes, size: size)?.mode.format == .motionJPEG)
        let raw = Self.ipevo.modes.filter { $0.format == .yuyv }
        #expect(ModeChoice.still(raw, size: size)?.rate == 3)
    }

    @Test("Formats that can't be decoded are ignored")
    func unusable() {
        let camera = Camera(
            "", [(FourCC("H264"), 1920, 1080, [30]), (FourCC("HEVC"), 640, 480, [30])])
        #expect(ModeChoice.liveSize(camera.modes) == nil)
        #expect(ModeChoice.stillSize(camera.modes) == nil)
        #expect(CameraSettings(camera.modes) == nil)
    }

    @Test("Gray is used only without color, and private formats after known ones")
    func lastResorts() throws {
        let size = try #require(FrameSize("640x480"))
        let both: [CameraMode] = [
            CameraMode(FourCC("pJPG"), size, []), CameraMode(FourCC("PJPG"), size, []),
            CameraMode(.grey, size, []),
        ]
        #expect(ModeChoice.live(both, size: size, rate: 30)?.mode.format == FourCC("PJPG"))
        #expect(ModeChoice.live([both[2]], size: size, rate: 30)?.mode.format == .grey)
    }

    @Test("A range of sizes offers the common ones within its steps, and the largest")
    func sizeRange() {
        var range = SizeRange(
            least: FrameSize(width: 16, height: 16), most: FrameSize(width: 1300, height: 1000),
            step: FrameSize(width: 16, height: 2))
        #expect(
            range.sizes.map(\.description) == [
                "320x240", "640x480", "800x600", "1024x768", "1280x720", "1280x960", "1300x1000",
            ])
        range.step = FrameSize(width: 32, height: 2)
        range.least = FrameSize(width: 32, height: 16)
        #expect(!range.sizes.map(\.description).contains("1296x1000"))
        range.most = FrameSize(width: 100_000, height: 100_000)
        #expect(!range.sizes.map(\.width).contains(100_000))
    }

    @Test("Formats have their usual names")
    func names() {
        #expect(FourCC.motionJPEG.description == "MJPEG")
        #expect(FourCC("Y16 ").description == "Y16")
        #expect(FourCC(rawValue: FourCC("Y16 ").rawValue | 1 << 31).description == "Y16-BE")
        #expect(FourCC.rgb24.description == "RGB24")
        #expect(FrameSize("1920x1080") == FrameSize(width: 1920, height: 1080))
        for text in ["1920", "1920x", "x9", "1920 x 1080", "+9x9", "", "1x2x3"] {
            #expect(FrameSize(text) == nil, "\(text)")
        }
    }
}
