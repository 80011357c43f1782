import CaptureKit
import FileNames
import Testing

@testable import VirtualBackend

private func naturallyPrecedes(_ a: String, _ b: String) -> Bool {
    comesBeforeNaturally(Array(a.utf8), Array(b.utf8))
}

@Suite struct FolderTests {
    @Test("Names are ordered as people count")
    func order() {
        let sorted = [
            "", "1", "01", "a", "B2.png", "b10.png", "page 2", "page 002b", "page 10", "Page 11",
            "page 99999999999999999999999", "page 100000000000000000000000", "é",
        ]
        for seed in UInt64(1)...20 {
            var generator = SplitMix(seed)
            let shuffled = sorted.shuffled(using: &generator).sorted(by: naturallyPrecedes)
            // "1" and "01" are the same number, so their bytes determine the order.
            #expect(
                shuffled.map { $0 == "1" || $0 == "01" ? "one" : $0 }
                    == sorted.map { $0 == "1" || $0 == "01" ? "one" : $0 })
            #expect(shuffled[1] == "01")
        }
    }

    @Test("The order is a strict one for any names")
    func strict() {
        var generator = SplitMix(7)
        let alphabet = Array("aB019 -")
        let names = (0..<60).map { _ in
            String(
                (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                    alphabet.randomElement(using: &generator) ?? "a"
                })
        }
        for a in names {
            for b in names {
                #expect(!(naturallyPrecedes(a, b) && naturallyPrecedes(b, a)))
                if a != b { #expect(naturallyPrecedes(a, b) || naturallyPrecedes(b, a)) }
                for c in names where naturallyPrecedes(a, b) && naturallyPrecedes(b, c) {
                    #expect(naturallyPrecedes(a, c))
                }
            }
        }
    }

    @Test("The feeder serves the folder's pictures in order and leaves other files alone")
    func served() async throws {
        let folder = try TemporaryFolder()
        for (name, gray) in [("p10.pgm", 100), ("p9.PGM", 90), ("p1.pnm", 10), (".hidden.pgm", 1)] {
            try folder.writeGray(name, width: 20, height: 30, UInt8(gray))
        }
        try folder.write("README.md", [1, 2, 3])
        let sink = try await Bench().capture("feeder", ["folder": .text(folder.path)])
        #expect(sink.labels == ["p1.pnm", "p9.PGM", "p10.pgm"])
        #expect(sink.frames.map { $0.samples(7, 29) } == [[10], [90], [100]])
        #expect(sink.frames.allSatisfy { $0.description.width == 20 && $0.height == 30 })
        #expect(sink.frames.allSatisfy { $0.description.resolution == nil })
    }

    @Test("The environment names the folder at the start")
    func environment() async throws {
        let folder = try TemporaryFolder()
        try folder.writeGray("a.pgm", width: 4, height: 4, 77)
        let sink = try await Bench(["COPYSTAND_VIRTUAL_PAGES": folder.path]).capture("flatbed")
        #expect(sink.frames.first?.bytes == [UInt8](repeating: 77, count: 16))
    }

    @Test("The glass has the next picture each time, and then begins again")
    func glass() async throws {
        let folder = try TemporaryFolder()
        for name in ["1.pgm", "2.pgm"] { try folder.writeGray(name, width: 4, height: 4, 0) }
        let device = try await Bench().device("flatbed", ["folder": .text(folder.path)])
        let sink = RecordingSink()
        for _ in 0..<3 { try await device.capture(CaptureRequest(), into: sink) }
        #expect(sink.labels == ["1.pgm", "2.pgm", "1.pgm"])
    }

    @Test(
        "A picture is converted to the device's mode",
        arguments: [
            ("gray", 8, FrameFormat.gray8, [76, 150, 29, 255]),
            ("gray", 16, .gray16, [76 * 257, 150 * 257, 29 * 257, 65_535]),
            ("bilevel", 0, .bilevel, [1, 0, 1, 0]),
        ])
    func modes(_ mode: String, _ depth: Int, _ format: FrameFormat, _ expected: [Int]) async throws
    {
        let folder = try TemporaryFolder()
        try folder.writeColor(
            "a.ppm", width: 4, height: 1, [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255])
        let device = try await Bench().device(
            "flatbed", ["folder": .text(folder.path), "mode": .text(mode)])
        if depth > 0 { _ = try await device.set("depth", to: .integer(depth)) }
        let sink = RecordingSink()
        try await device.capture(CaptureRequest(), into: sink)
        let frame = try #require(sink.frames.first)
        #expect(frame.description.format == format)
        #expect((0..<4).flatMap { frame.samples($0, 0) } == expected)
    }

    @Test("Color samples come through unchanged, and gray pictures get three equal ones")
    func color() async throws {
        let folder = try TemporaryFolder()
        var generator = SplitMix(3)
        let samples = (0..<7 * 5 * 3).map { _ in UInt8.random(in: 0...255, using: &generator) }
        try folder.writeColor("1.ppm", width: 7, height: 5, samples)
        try folder.writeGray("2.pgm", width: 7, height: 5, 200)
        let sink = try await Bench().capture(
            "feeder", ["folder": .text(folder.path), "mode": .text("color")])
        #expect(sink.frames.map(\.bytes) == [samples, [UInt8](repeating: 200, count: 105)])
    }

    @Test("A damaged and a huge picture are reported, and the others arrive")
    func damaged() async throws {
        let folder = try TemporaryFolder()
        try folder.writeGray("1.pgm", width: 4, height: 4, 1)
        try folder.write("2.png", [UInt8]("this is no picture".utf8))
        try folder.write("3.pgm", [UInt8]("P5 30000 30000 255\n".utf8))
        try folder.write("4.tif", [0x49, 0x49, 0x2A, 0, 0xFF, 0xFF, 0xFF, 0x7F])
        try folder.write("5.jpg", [])
        try folder.writeGray("6.pgm", width: 4, height: 4, 6)
        let sink = try await Bench().capture("feeder", ["folder": .text(folder.path)])
        #expect(sink.labels == ["1.pgm", "6.pgm"])
        #expect(sink.skipped.map(\.label) == ["2.png", "3.pgm", "4.tif", "5.jpg"])
        #expect(
            sink.skipped.map(\.error.code) == [.damagedData, .tooLarge, .damagedData, .damagedData])
    }

    @Test("A folder without pictures is refused")
    func empty() async throws {
        let folder = try TemporaryFolder()
        try folder.write("notes.txt", [65])
        let device = try await Bench().device("camera")
        let error = await #expect(throws: CaptureError.self) {
            try await device.set("folder", to: .text(folder.path))
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.message.contains(folder.path) == true)
    }
}

/// A small seeded generator (SplitMix64), so that a failing run can be repeated.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
