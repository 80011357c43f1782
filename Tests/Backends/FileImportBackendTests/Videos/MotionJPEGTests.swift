import CaptureKit
import FileImportBackend
import Testing

@Suite struct MotionJPEGTests {
    /// A small picture whose bytes depend on its number.
    static func picture(_ number: Int, width: Int = 24, height: Int = 16) throws -> [UInt8] {
        var noise = Noise(seed: UInt64(number) &+ 900)
        return try makeJPEG(
            width: width, height: height, gray: number.isMultiple(of: 2),
            pixels: noise.bytes(width * height * 3))
    }

    /// True if the frames are these pictures, byte by byte.
    static func areFrames(_ pages: [Recording.Page], _ pictures: [[UInt8]]) -> Bool {
        pages.count == pictures.count
            && zip(pages, pictures).allSatisfy { page, picture in
                page.description.format == .jpeg && page.bytes.elementsEqual(picture)
            }
    }

    // MARK: Bare

    @Test("Consecutive pictures are frames, whatever is between the pictures", arguments: 0..<20)
    func bare(seed: Int) async throws {
        var noise = Noise(seed: UInt64(seed))
        let pictures = try (0..<Int.random(in: 1...9, using: &noise)).map {
            try Self.picture(
                $0, width: Int.random(in: 1...70, using: &noise),
                height: Int.random(in: 1...70, using: &noise))
        }
        var bytes: [UInt8] = []
        for picture in pictures {
            bytes += picture
            // The bytes are boundaries of a stream, padding, or a part of a picture without a
            // start.
            let between = Int.random(in: 0..<9_000, using: &noise)
            bytes += noise.bytes(between).map { $0 == 0xFF ? 0 : $0 }
        }
        let scratch = try Scratch()
        let path = try scratch.file("clip.mjpeg", bytes)
        let recording = try await record(path, ["rate": .number(10)], mode: .live)
        #expect(Self.areFrames(recording.pages, pictures))
        #expect(recording.skips.isEmpty && recording.unfinished == 0)
        #expect(
            recording.pages.map(\.description.time) == pictures.indices.map { Double($0) / 10 })
        #expect(recording.pages.last?.description.label == "clip.mjpeg, frame \(pictures.count)")
    }

    @Test("A frame has as many pixels as its picture")
    func size() async throws {
        let scratch = try Scratch()
        let path = try scratch.file("c.mjpg", try Self.picture(1, width: 37, height: 21))
        let frame = try #require(try await record(path, mode: .live).pages.first).description
        #expect(frame.width == 37 && frame.height == 21 && frame.stride == 0)
        #expect(frame.time == 0)
    }

    @Test("A truncated frame is reported in its place, also at the end")
    func cut() async throws {
        let pictures = try (0..<4).map { try Self.picture($0) }
        let scratch = try Scratch()
        let half = pictures[1].prefix(pictures[1].count - 40)
        let path = try scratch.file(
            "c.mjpeg", pictures[0] + half + pictures[2] + pictures[3].dropLast(30))
        let recording = try await record(path, mode: .live)
        #expect(Self.areFrames(recording.pages, [pictures[0], pictures[2]]))
        #expect(recording.labels == [1, 2, 3, 4].map { "c.mjpeg, frame \($0)" })
        #expect(recording.skips.map(\.code) == [.damagedData, .damagedData])
        #expect(recording.skips.last?.message.contains("ends in the middle of a frame") == true)
        #expect(recording.pages.last?.description.time == 2 / 12.0)
    }

    @Test("A frame without an end, and one larger than it can be, are refused")
    func endless() async throws {
        let scratch = try Scratch()
        let start = Array(try Self.picture(1).dropLast(2))
        let path = try scratch.file(
            "c.mjpeg", start + [UInt8](repeating: 0, count: 300_000) + [0])
        let error = try await failure(
            path, mode: .live, limits: ImportLimits(maximumFileBytes: 200_000))
        #expect(error.code == .damagedData && error.message.contains("has no end within 200000"))
    }

    @Test("Pictures of kinds that cameras don't send are damaged frames")
    func uncommon() async throws {
        let good = try Self.picture(1)
        var lossless = good
        for at in lossless.indices.dropLast() where lossless[at] == 0xFF && lossless[at + 1] == 0xC0
        {
            lossless[at + 1] = 0xC3
        }
        let scratch = try Scratch()
        let recording = try await record(
            try scratch.file("c.mjpeg", good + lossless + good), mode: .live)
        #expect(Self.areFrames(recording.pages, [good, good]))
        #expect(recording.skips.map(\.code) == [.unsupported])
    }

    // MARK: AVI

    @Test("Only the frames of the picture stream are captured")
    func avi() async throws {
        let pictures = try (0..<5).map { try Self.picture($0) }
        var fixture = AVIFixture(rate: (30_000, 1_001))
        fixture.chunks = [
            AVIFixture.frame(pictures[0]), riffChunk("00wb", [1, 2, 3]),
            riffChunk("ix01", Array(repeating: 7, count: 40)),
            riffList("rec ", [AVIFixture.frame(pictures[1]), riffChunk("00dc", pictures[4])]),
            riffChunk("JUNK", pictures[4]), AVIFixture.frame([]), AVIFixture.frame(pictures[2]),
        ]
        // A wrong index, then what OpenDML appends to continue beyond a gigabyte.
        let index = riffChunk(
            "idx1", Array("01dc".utf8) + little32(16) + little32(-1 & 0xFFFF_FFFF))
        fixture.tail = [
            index,
            riffList(
                "AVIX", [riffList("movi", [AVIFixture.frame(pictures[3])])], name: "RIFF"),
        ]
        let scratch = try Scratch()
        let path = try scratch.file("clip.avi", fixture.bytes)
        let recording = try await record(path, mode: .live)
        #expect(Self.areFrames(recording.pages, Array(pictures[...3])))
        // The empty chunk repeats the frame before it, so time passes.
        let times = recording.pages.map { ($0.description.time ?? -1) * 30_000 / 1_001 }
        #expect(zip(times, [0, 1, 3, 4]).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(recording.labels.last == "clip.avi, frame 5")
    }

    @Test("A file without recorded lengths is read chunk by chunk")
    func unfinished() async throws {
        let pictures = try (0..<3).map { try Self.picture($0) }
        var fixture = AVIFixture()
        fixture.chunks = pictures.map(AVIFixture.frame)
        var bytes = fixture.bytes
        bytes.replaceSubrange(4..<8, with: little32(0))
        let movi = try #require(
            bytes.indices.dropLast(4).first { bytes[$0..<$0 + 4].elementsEqual("movi".utf8) })
        bytes.replaceSubrange(movi - 4..<movi, with: little32(0))
        bytes.removeLast(20)
        let scratch = try Scratch()
        let recording = try await record(try scratch.file("c.avi", bytes), mode: .live)
        #expect(Self.areFrames(recording.pages, Array(pictures[..<2])))
    }

    @Test(
        "A damaged frame is reported in its place; other bytes end the clip with an error")
    func damaged() async throws {
        let pictures = try (0..<2).map { try Self.picture($0) }
        var fixture = AVIFixture()
        fixture.chunks = [
            AVIFixture.frame(pictures[0]), AVIFixture.frame([1, 2, 3, 4]),
            AVIFixture.frame(pictures[1]), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
        ]
        let scratch = try Scratch()
        let sink = RecordingSink()
        let error = try await failure(
            try scratch.file("c.avi", fixture.bytes), mode: .live, sink: sink)
        #expect(error.code == .damagedData && error.message.contains("no chunk begins"))
        #expect(Self.areFrames(sink.recording.pages, pictures))
        #expect(sink.recording.skips.map(\.code) == [.damagedData])
    }

    @Test(
        "Files without Motion JPEG are refused with advice",
        arguments: [("DIB ", "DIB "), ("\u{1B}[3m", "\u{FFFD}[3m")])
    func otherCodec(codec: String, shown: String) async throws {
        let scratch = try Scratch()
        let path = try scratch.file("my clip.avi", AVIFixture(codec: codec).bytes)
        let error = try await failure(path, mode: .live)
        #expect(error.code == .unsupported && error.message.contains("'\(shown)'"), "\(error)")
        #expect(error.advice?.contains("ffmpeg -i '\(path)' ") == true)
    }

    @Test("Interlaced frames are refused")
    func interlaced() async throws {
        let scratch = try Scratch()
        var fixture = AVIFixture(height: 32)
        fixture.chunks = [AVIFixture.frame(try Self.picture(1))]
        let error = try await failure(try scratch.file("c.avi", fixture.bytes), mode: .live)
        #expect(error.code == .unsupported && error.message.contains("interlaced"))
    }

    @Test(
        "Headers without end, without pictures or with lengths beyond the file are errors",
        arguments: 0...3)
    func hostile(number: Int) async throws {
        var bytes = AVIFixture().bytes
        let start = Array(bytes[..<12])
        switch number {
        case 0: bytes = start + (0..<20_000).flatMap { _ in riffChunk("JUNK", []) }
        case 1: bytes = start
        case 2: bytes = start + Array("LIST".utf8) + little32(0xFFFF_FFFF) + Array("INFO".utf8)
        default: bytes = start + riffList("movi", [AVIFixture.frame(try Self.picture(1))])
        }
        let scratch = try Scratch()
        let error = try await failure(try scratch.file("c.avi", bytes), mode: .live)
        #expect(error.code == .damagedData)
    }
}
