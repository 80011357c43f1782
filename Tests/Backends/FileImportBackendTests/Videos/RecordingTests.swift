import CaptureHost
import CaptureKit
import ContractSupport
import FileImportBackend
import Glibc
import Testing

@Suite struct RecordingTests {
    private static let clip = Array(
        "YUV4MPEG2 W2 H1 Cmono XCOLORRANGE=FULL\nFRAME\n12FRAME\n34".utf8)

    // MARK: A folder of frames

    @Test("A folder's pictures are frames in natural order, 12 a second")
    func folder() async throws {
        let scratch = try Scratch()
        let jpeg = try MotionJPEGTests.picture(1)
        try scratch.file("in/frame10.jpg", jpeg)
        try scratch.file("in/frame9.pgm", Array("P5 2 1 255\n".utf8) + [7, 8])
        try scratch.file("in/frame11.pgm", Array("P5 1 1 65535\n".utf8) + [0x12, 0x34])
        try scratch.file("in/frame12.pbm", Array("P4 3 1\n".utf8) + [0b0101_0000])
        try scratch.file("in/notes.txt", Array("no frame".utf8))
        try scratch.file("in/clip.y4m", Self.clip)
        let pages = try await record(scratch.path + "/in", mode: .live).pages
        #expect(
            pages.map(\.description.label) == [
                "frame9.pgm", "frame10.jpg", "frame11.pgm", "frame12.pbm",
            ])
        #expect(pages.map(\.description.format) == [.gray8, .jpeg, .gray8, .gray8])
        #expect(pages.map(\.description.time) == (0...3).map { Double($0) / 12 })
        #expect(pages[0].bytes == [7, 8] && pages[2].bytes == [0x12])
        #expect(mismatch(pages[1].bytes, jpeg) == nil)
        #expect(pages[3].bytes == [255, 0, 255])
    }

    @Test("A photograph with an EXIF rotation is decoded and turned", arguments: [3, 6])
    func turned(orientation: Int) async throws {
        let scratch = try Scratch()
        let pixels = (0..<24 * 16).map { UInt8($0 % 24 * 10) }
        let jpeg = try makeJPEG(width: 24, height: 16, gray: true, pixels: pixels, quality: 100)
        try scratch.file(
            "1.jpg", addingExif(exifBlock(orientation: orientation), to: jpeg))
        let page = try #require(try await record(scratch.path, mode: .live).pages.first)
        let stored = try decodedJPEG(jpeg, width: 24, height: 16, gray: true)
        #expect(page.description.format == .gray8)
        #expect(page.description.width == (orientation == 6 ? 16 : 24))
        #expect(
            mismatch(
                page.bytes, shown(stored, width: 24, height: 16, orientation: orientation)) == nil)
    }

    @Test("A picture that can't be read is reported in its place; its time passes")
    func damagedPicture() async throws {
        let scratch = try Scratch()
        try scratch.file("1.pgm", Array("P5 1 1 255\n".utf8) + [1])
        try scratch.file("2.jpg", Array("no picture".utf8))
        try scratch.file("3.pgm", Array("P5 1 1 255\n".utf8) + [3])
        let recording = try await record(scratch.path, ["rate": .integer(1)], mode: .live)
        #expect(recording.labels == ["1.pgm", "2.jpg", "3.pgm"])
        #expect(recording.skips.map(\.code) == [.damagedData])
        #expect(recording.pages.map(\.description.time) == [0, 2])
    }

    @Test("A folder without pictures, or with only damaged ones, is an error")
    func noFrames() async throws {
        let scratch = try Scratch()
        try scratch.file("in/notes.txt", Array("no frame".utf8))
        #expect(try await failure(scratch.path + "/in", mode: .live).code == .damagedData)
        try scratch.file("bad/1.png", [1, 2])
        try scratch.file("bad/2.png", [])
        #expect(try await failure(scratch.path + "/bad", mode: .live).code == .damagedData)
    }

    // MARK: Files that no video device opens

    @Test(
        "Videos in uncommon containers are refused with a command that converts them",
        arguments: [
            ("clip.mpg", [0, 0, 1, 0xBA], "an MPEG video"),
            ("clip.ts", [0x47] + [UInt8](repeating: 0, count: 187) + [0x47], "an MPEG transport"),
            ("clip.flv", Array("FLV".utf8), "a Flash video"),
        ] as [(String, [UInt8], String)], [CaptureRequest.Mode.live, .pages])
    func videos(_ video: (name: String, head: [UInt8], kind: String), mode: CaptureRequest.Mode)
        async throws
    {
        let scratch = try Scratch()
        let path = try scratch.file(video.name, video.head + [UInt8](repeating: 0, count: 20))
        let error = try await failure(path, mode: mode)
        #expect(error.code == .unsupported && error.message.contains(video.kind))
        #expect(error.advice?.contains("ffmpeg -i \(path) -an -c:v mjpeg") == true)
    }

    @Test("Recordings are not imported as pages; those in a folder are reported and left out")
    func notPages() async throws {
        let scratch = try Scratch()
        let jpeg = try MotionJPEGTests.picture(1)
        var avi = AVIFixture()
        avi.chunks = [AVIFixture.frame(jpeg)]
        let makings = try Scratch()
        let video = try VideoFixture.make("a.mp4", "-c:v libx264", frames: 2, in: makings)
        let web = try VideoFixture.make("a.webm", "-c:v libvpx", frames: 2, in: makings)
        for (name, bytes) in [
            ("a.y4m", Self.clip), ("b.avi", avi.bytes), ("c.mjpeg", jpeg + jpeg), ("d.mjpg", jpeg),
            ("e.mp4", try Scratch.read(video)), ("g.webm", try Scratch.read(web)),
        ] {
            let path = try scratch.file(name, bytes)
            let error = try await failure(path)
            #expect(error.code == .unsupported)
            #expect(error.advice?.contains("copystand watch --device file:\(path) ") == true)
            #expect(try await record(path, mode: .live).pages.isEmpty == false)
        }
        try scratch.file("f.jpg", jpeg)
        let recording = try await record(scratch.path)
        #expect(recording.pages.map(\.description.label) == ["f.jpg"])
        #expect(recording.skips.map(\.code) == Array(repeating: .notAPage, count: 6))
    }

    @Test("Of a photograph with several pictures in its file, the first is still imported")
    func severalInOne() async throws {
        let scratch = try Scratch()
        let (first, second) = (try MotionJPEGTests.picture(1), try MotionJPEGTests.picture(3))
        let page = try #require(
            try await record(try scratch.file("a.jpg", first + second)).pages.first)
        #expect(mismatch(page.original?.bytes ?? [], first) == nil)
    }

    @Test(
        "Devices describe themselves",
        arguments: [("c.y4m", "recording"), ("p.pgm", "file"), ("", "folder")])
    func sources(name: String, source: String) async throws {
        let scratch = try Scratch()
        try scratch.file("c.y4m", Self.clip)
        try scratch.file("p.pgm", Array("P5 1 1 255\n1".utf8))
        let device = try await FileImportBackend().open(scratch.path + "/" + name)
        #expect(device.descriptor?.sources == [source])
        #expect(device.descriptor?.kind == .files)
        await device.close()
    }

    // MARK: At the host

    @Test("No frame is lost on the way to a slow host", arguments: BackendForm.allCases)
    func nothingLost(form: BackendForm) async throws {
        let scratch = try Scratch()
        var noise = Noise(seed: 91)
        let frames = (0..<40).map { _ in noise.bytes(64 * 48 * 3 / 2) }
        let path = try scratch.file(
            "clip.y4m",
            Array("YUV4MPEG2 W64 H48 F10:1 C420\n".utf8)
                + frames.flatMap { Array("FRAME\n".utf8) + $0 })
        var configuration = HostConfiguration.standard()
        configuration.stateFile = scratch.path + "/devices.json"
        configuration.deadlines = .forTests
        let host = CaptureHost(
            configuration, inProcess: form == .inProcess ? ["file": FileImportBackend()] : [:])
        let device = try await host.open(try await host.find("file:" + path))
        var held: [CapturedPage] = []
        var count = 0
        for try await event in device.capture(
            CaptureRequest(mode: .live), spool: SpoolFolder(path: scratch.path), whenFull: .wait,
            ring: 8)
        {
            guard case .page(let page) = event else { continue }
            let mapped = try page.mapPixels()
            let luma = frames[count].prefix(64 * 48)
            #expect(mapped.bytes.starts(with: luma))
            #expect(page.description.time == Double(count) / 10)
            mapped.release()
            count += 1
            // Frames are released in groups, so that the recording has to wait repeatedly.
            held.append(page)
            if held.count == 8 {
                for page in held { page.release() }
                held = []
            }
        }
        #expect(count == 40)
        await device.close()
        await host.shutdown()
    }

    @Test("Canceling stops a recording")
    func cancel() async throws {
        let scratch = try Scratch()
        let path = try scratch.file("c.y4m", Self.clip)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let sink = RecordingSink(onPage: { _ in start.yield() })
        let task = Task { try await record(path, mode: .live, sink: sink) }
        for await _ in started { break }
        task.cancel()
        // Either it was canceled in time, or both frames had already been sent.
        if let recording = try? await task.value { #expect(recording.pages.count == 2) }
        #expect(sink.recording.unfinished <= 1)
    }

    // MARK: Mutated recordings

    static func fuzz(_ kind: String, count: Int) async throws {
        let scratch = try Scratch()
        let pictures = try (0..<3).map { try MotionJPEGTests.picture($0) }
        var avi = AVIFixture()
        avi.chunks = pictures.map(AVIFixture.frame)
        avi.tail = [riffList("AVIX", [riffList("movi", avi.chunks)], name: "RIFF")]
        let seed: [UInt8] =
            switch kind {
            case "y4m":
                Array("YUV4MPEG2 W6 H4 F30:1 Ip C420 XCOLORRANGE=FULL\n".utf8)
                    + (0..<3).flatMap { _ in Array("FRAME\n".utf8) + (0..<36).map { UInt8($0) } }
            case "mjpeg": pictures.flatMap { $0 + [0, 0xFF, 0xD8] }
            default: avi.bytes
            }
        try await fuzz(seed, count: count, in: scratch)
    }

    /// Plays `count` mutations; each must give frames or a ``CaptureError``.
    static func fuzz(_ seed: [UInt8], count: Int, in scratch: Scratch) async throws {
        // Mutations may claim any size, so memory is limited, and the process ends after a time.
        var limit = rlimit(rlim_cur: 4 << 30, rlim_max: 4 << 30)
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        let limits = ImportLimits(maximumPixels: 1_000_000, maximumFileBytes: 1 << 20)
        var noise = Noise(seed: 92)
        for number in 0..<count {
            let path = try scratch.file(
                "mutation-\(number % 2)", FuzzTests.mutated(seed, &noise))
            let sink = RecordingSink()
            do {
                let recording = try await record(path, mode: .live, limits: limits, sink: sink)
                guard !recording.pages.isEmpty, recording.unfinished == 0 else {
                    throw Unexpected("mutation \(number) ended without a frame or an error")
                }
            } catch let error as CaptureError {
                guard !error.message.isEmpty, error.code != .internalFault else {
                    throw Unexpected("mutation \(number): \(error)")
                }
            }
        }
    }

    @Test(
        "Mutated recordings end in frames or an error, never in a crash",
        arguments: ["y4m", "mjpeg", "avi"])
    func mutations(kind: String) async {
        await #expect(processExitsWith: .success) { [kind] in
            try await RecordingTests.fuzz(kind, count: 400)
        }
    }
}
