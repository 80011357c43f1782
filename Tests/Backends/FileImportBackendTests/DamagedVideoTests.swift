import CaptureKit
import FileImportBackend
import Testing

@Suite struct DamagedVideoTests {
    // MARK: Truncated videos

    @Test("A video without its list of pictures is refused with the reason")
    func noList() async throws {
        let scratch = try Scratch()
        let path = try VideoFixture.make("a.mp4", "-c:v libx264", in: scratch)
        let file = try Scratch.read(path)
        let list = try #require(file.indices.first { file[$0...].starts(with: "moov".utf8) })
        let error = try await failure(
            try scratch.file("cut.mp4", Array(file.prefix(list + 2))), mode: .live)
        #expect(error.code == .damagedData && error.message.contains("list of pictures ('moov')"))
    }

    @Test(
        "A truncated video ends with its last whole frame, and reports it",
        arguments: ["a.mp4", "a.mkv", "a.webm"])
    func cut(name: String) async throws {
        let scratch = try Scratch()
        let codec = name == "a.webm" ? "libvpx-vp9" : "libx264 -bf 0 -movflags +faststart"
        let path = try VideoFixture.make(
            name, "-vf noise=alls=60:allf=t -c:v \(codec) -b:v 2M", in: scratch)
        let whole = try await record(path, mode: .live).pages
        let file = try Scratch.read(path)
        for keep in [file.count * 7 / 10, file.count * 8 / 10] {
            let recording = try await record(
                try scratch.file("cut-" + name, Array(file.prefix(keep))), mode: .live)
            #expect((1..<10).contains(recording.pages.count))
            #expect(recording.skips.map(\.code) == [.damagedData])
            #expect(recording.skips.last?.message.contains("ends in the middle of a frame") == true)
            #expect(Self.areAmong(whole, recording.pages))
        }
    }

    @Test("A video without a frame gives an error", arguments: ["mp4", "webm"])
    func empty(ending: String) async throws {
        let scratch = try Scratch()
        let path = try VideoFixture.make(
            "a.\(ending)", ending == "mp4" ? "-c:v libx264 -movflags +faststart" : "-c:v libvpx",
            in: scratch)
        let file = try Scratch.read(path)
        let mark = ending == "mp4" ? Array("mdat".utf8) : [0x1F, 0x43, 0xB6, 0x75]
        let end = try #require(file.indices.first { file[$0...].starts(with: mark) })
        let error = try await failure(
            try scratch.file("cut.\(ending)", Array(file.prefix(end + 8))), mode: .live)
        #expect(error.code == .damagedData)
    }

    // MARK: Videos with damage in the middle

    @Test(
        "Frames that depend on a damaged one are left out with it, and reported",
        arguments: ["libx264", "libx265"])
    func damaged(codec: String) async throws {
        let scratch = try Scratch()
        let path = try VideoFixture.make(
            "a.mp4", "-c:v \(codec) -g 5 -bf 0 -sc_threshold 0 -vf noise=alls=40:allf=t -b:v 2M",
            frames: 20, in: scratch)
        let file = try Scratch.read(path)
        let whole = try await record(path, mode: .live).pages
        // The seventh frame's piece has an impossible length.
        let place = try Self.places(file)[6]
        var bytes = file
        bytes.replaceSubrange(place..<place + 8, with: [UInt8](repeating: 0xFF, count: 8))
        let recording = try await record(try scratch.file("b.mp4", bytes), mode: .live)
        #expect(recording.skips.map(\.code) == [.damagedData])
        #expect(recording.labels.contains { $0?.hasPrefix("b.mp4, frame ") == true })
        #expect(recording.skips[0].message.contains("can't be decoded"))
        // The frames before the damage and those from the next key frame on remain.
        #expect(Self.areAmong(whole, recording.pages))
        let times = recording.pages.compactMap(\.description.time)
        #expect(times.contains { $0 < 0.55 } && !times.contains { (0.55..<0.95).contains($0) })
        #expect((12...16).contains(times.count) && times.last.map { abs($0 - 1.9) < 0.01 } == true)
    }

    @Test("A frame whose decoder left out the planes of color is reported as damaged")
    func missingPlane() async throws {
        // The fuzzer found this case: the form of the pictures changes while two threads decode
        // them.
        let path =
            String(#filePath.dropLast("DamagedVideoTests.swift".count))
            + "Fixtures/missing-plane.mkv"
        let recording = try await record(path, mode: .live)
        #expect(
            recording.skips.contains { $0.message.contains("a plane of its pixels is missing") })
    }

    @Test("Many lost frames are reported by the hundred, in order and without a gap")
    func manyLost() async throws {
        let scratch = try Scratch()
        try VideoFixture.run(
            "-f lavfi -i testsrc=s=64x48:r=10:d=24 -pix_fmt yuv420p -c:v libx264 -g 1000 -bf 0 a.mp4",
            in: scratch)
        var bytes = try Scratch.read(scratch.path + "/a.mp4")
        let place = try Self.places(bytes)[6]
        bytes.replaceSubrange(place..<place + 8, with: [UInt8](repeating: 0xFF, count: 8))
        let recording = try await record(try scratch.file("b.mp4", bytes), mode: .live)
        let first = recording.pages.count + 1
        #expect((4...7).contains(first))
        #expect(
            recording.labels.suffix(3) == [
                "b.mp4, frame \(first) to \(first + 99)",
                "b.mp4, frame \(first + 100) to \(first + 199)",
                "b.mp4, frame \(first + 200) to 240",
            ])
        #expect(recording.skips.count == 3)
    }

    /// The offsets of the samples of a file with one track, from its list of chunks.
    private static func places(_ file: [UInt8]) throws -> [Int] {
        func number(_ at: Int) -> Int { file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
        guard let offsets = file.indices.last(where: { file[$0...].starts(with: "stco".utf8) }),
            let sizes = file.indices.last(where: { file[$0...].starts(with: "stsz".utf8) })
        else { throw Unexpected("no stco") }
        // ffmpeg puts the pieces of a single track into one chunk.
        var places = [number(offsets + 12)]
        for index in 0..<number(sizes + 12) - 1 {
            places.append(places[index] + number(sizes + 16 + 4 * index))
        }
        return places
    }

    /// True if every frame is one of the undamaged video, with the same time.
    private static func areAmong(_ whole: [Recording.Page], _ pages: [Recording.Page]) -> Bool {
        pages.allSatisfy { page in
            whole.contains {
                $0.description.time == page.description.time && $0.bytes == page.bytes
            }
        }
    }

    // MARK: Videos that can't be decoded

    @Test("A video of another codec is refused by name, with what to do")
    func otherCodec() async throws {
        let scratch = try Scratch()
        let path = try VideoFixture.make("a.mov", "-c:v prores", in: scratch)
        let error = try await failure(path, mode: .live)
        #expect(error.code == .unsupported)
        #expect(error.message.contains("a QuickTime video whose pictures are coded as 'prores'"))
        #expect(error.advice?.contains("ffmpeg -i \(path) ") == true)
    }

    @Test("Sound without pictures is refused by name", arguments: ["a.m4a", "a.mka"])
    func sound(name: String) async throws {
        let scratch = try Scratch()
        try VideoFixture.run("-f lavfi -i sine=d=0.2 -c:a aac \(name)", in: scratch)
        let error = try await failure(scratch.path + "/" + name, mode: .live)
        #expect(error.code == .unsupported && error.message.contains("is a sound recording"))
    }

    @Test("Pictures beyond the limits are refused before they are decoded")
    func large() async throws {
        let scratch = try Scratch()
        let path = try VideoFixture.make("a.mp4", "-c:v libx264", in: scratch)
        let error = try await failure(
            path, mode: .live, limits: ImportLimits(maximumPixels: 176 * 144 - 1))
        #expect(error.code == .tooLarge && error.message.contains("176 × 144 pixels"))
        // The container claims a huge size, and every limit is unchanged.
        var file = try Scratch.read(path)
        let entry = try #require(
            file.indices.first { file[$0...].starts(with: "avc1".utf8) && $0 > 40 })
        file.replaceSubrange(entry + 28..<entry + 32, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let claimed = try await failure(try scratch.file("b.mp4", file), mode: .live)
        #expect(claimed.code == .tooLarge && claimed.message.contains("65535 × 65535 pixels"))
    }

    @Test("Lists of other files are not videos, whatever their names")
    func playlists() async throws {
        let scratch = try Scratch()
        let path = try VideoFixture.make("a.mp4", "-c:v libx264", in: scratch)
        for (name, text) in [
            ("b.mp4", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(path)\n#EXT-X-ENDLIST\n"),
            ("c.mp4", "ffconcat version 1.0\nfile a.mp4\n"),
        ] {
            let error = try await failure(try scratch.file(name, Array(text.utf8)), mode: .live)
            #expect(error.code == .damagedData && error.advice?.contains(".mp4, .mov") == true)
        }
    }

    // MARK: Mutated files

    static let seeds = [
        "mp4": "-c:v libx264 -g 3 -movflags +faststart a.mp4",
        "mov": "-c:v libx265 -x265-params log-level=none a.mov",
        "webm": "-c:v libvpx-vp9 a.webm", "vp8": "-c:v libvpx a.webm",
        "mkv": "-c:v libaom-av1 -cpu-used 8 a.mkv", "avi": "-c:v mpeg4 a.avi",
        "3gp": "-c:v h263 a.3gp",
        "fragments": "-c:v libx264 -movflags frag_keyframe+empty_moov a.mp4",
    ]

    static func fuzz(_ kind: String, count: Int) async throws {
        let scratch = try Scratch()
        try VideoFixture.run(
            "-f lavfi -i testsrc=s=176x144:r=10:d=0.5 -pix_fmt yuv420p \(seeds[kind] ?? "")",
            in: scratch)
        let name = seeds[kind]?.split(separator: " ").last ?? ""
        let seed = try Scratch.read(scratch.path + "/" + name)
        try await RecordingTests.fuzz(seed, count: count, in: scratch)
    }

    @Test(
        "Mutated videos end in frames or an error, never in a crash",
        arguments: seeds.keys.sorted())
    func mutations(kind: String) async {
        await #expect(processExitsWith: .success) { [kind] in
            try await DamagedVideoTests.fuzz(kind, count: 150)
        }
    }
}
