import CaptureKit
import Testing

@testable import VirtualBackend

/// Compares pixels with the test page's documented measures, not with the drawing code.
@Suite struct TestPageTests {
    private func page(_ settings: KeyValuePairs<String, OptionValue>) async throws -> RecordedFrame
    {
        let sink = try await Bench().capture("flatbed", settings)
        return try #require(sink.frames.first)
    }

    @Test(
        "An A4 page has the size of its resolution",
        arguments: [
            (75, 620, 877), (100, 827, 1169), (150, 1240, 1754), (200, 1654, 2339),
            (300, 2480, 3508),
        ])
    func size(_ dpi: Int, _ width: Int, _ height: Int) async throws {
        let frame = try await page(["resolution": .integer(dpi)])
        #expect(frame.description.width == width)
        #expect(frame.description.height == height)
        #expect(frame.height == height)
        #expect(frame.description.resolution == Resolution(x: Double(dpi)))
        #expect(frame.description.format == .gray8)
    }

    @Test(
        "The wedge has sixteen grays, with steps at the right places",
        arguments: [75, 150, 300])
    func wedge(_ dpi: Int) async throws {
        let frame = try await page(["resolution": .integer(dpi)])
        for step in 0..<16 {
            #expect(frame.at(30 + 10 * Double(step), 100) == [17 * step])
        }
        let row = Int(100 * Double(dpi) / 25.4)
        for step in 0..<15 {
            let edge = Int((Double(35 + 10 * step) * Double(dpi) / 25.4).rounded())
            #expect(frame.samples(edge - 1, row) == [17 * step])
            #expect(frame.samples(edge, row) == [17 * (step + 1)])
        }
    }

    @Test("Bilevel sets the bits of samples darker than the threshold")
    func bilevel() async throws {
        for (threshold, blackSteps) in [(128, 8), (60, 4), (255, 15)] {
            let frame = try await page([
                "mode": .text("bilevel"), "resolution": .integer(150),
                "threshold": .integer(threshold),
            ])
            #expect(frame.description.format == .bilevel)
            #expect(frame.description.stride == 155)
            for step in 0..<16 {
                #expect(frame.at(30 + 10 * Double(step), 100) == [step < blackSteps ? 1 : 0])
            }
        }
    }

    @Test("Sixteen bits spread the grays evenly, low byte first")
    func deep() async throws {
        let frame = try await page(["depth": .integer(16), "resolution": .integer(75)])
        #expect(frame.description.format == .gray16)
        for step in 0..<16 { #expect(frame.at(30 + 10 * Double(step), 100) == [4369 * step]) }
    }

    @Test("The patches have their colors, in eight and sixteen bits and as luma")
    func patches() async throws {
        let colors = [
            [255, 0, 0], [0, 255, 0], [0, 0, 255], [0, 255, 255], [255, 0, 255], [255, 255, 0],
            [0, 0, 0], [255, 255, 255],
        ]
        let color = try await page(["mode": .text("color"), "resolution": .integer(75)])
        let deep = try await page([
            "mode": .text("color"), "depth": .integer(16), "resolution": .integer(75),
        ])
        let gray = try await page(["mode": .text("gray"), "resolution": .integer(75)])
        #expect(color.description.format == .rgb8)
        #expect(deep.description.format == .rgb16)
        for (index, rgb) in colors.enumerated() {
            let x = 35 + 20 * Double(index)
            #expect(color.at(x, 130) == rgb)
            #expect(deep.at(x, 130) == rgb.map { $0 * 257 })
            let luma = 0.299 * Double(rgb[0]) + 0.587 * Double(rgb[1]) + 0.114 * Double(rgb[2])
            #expect(gray.at(x, 130) == [Int(luma.rounded())])
        }
    }

    @Test("The rulers tick every millimeter, longer every ten")
    func rulers() async throws {
        let frame = try await page(["resolution": .integer(300)])
        #expect(frame.at(100.04, 1) == [0])
        #expect(frame.at(100.5, 1) == [255])
        #expect(frame.at(101.04, 1) == [0])
        #expect(frame.at(100.04, 6) == [0])
        #expect(frame.at(101.04, 6) == [255])
        #expect(frame.at(1, 200.04) == [0])
        #expect(frame.at(1, 200.5) == [255])
    }

    @Test("The page number is printed: one stroke for 1, seven dots wide for other digits")
    func number() async throws {
        let sink = try await Bench().capture("feeder", ["resolution": .integer(75)])
        #expect(sink.frames.count == 10)
        // The middle column of a 1 is black from top to bottom, that of a 2 and a 0 is not.
        func middleColumn(_ frame: RecordedFrame) -> [Int] {
            (0..<7).map { frame.at(30, 37 + 4 * Double($0))[0] }
        }
        #expect(middleColumn(sink.frames[0]) == [Int](repeating: 0, count: 7))
        #expect(middleColumn(sink.frames[1]) != middleColumn(sink.frames[0]))
        #expect(middleColumn(sink.frames[9]) == middleColumn(sink.frames[0]))
        #expect(Set(sink.frames.map(\.bytes)).count == 10)
    }

    @Test("The same settings give the same page")
    func deterministic() async throws {
        let first = try await page(["resolution": .integer(100)])
        let second = try await page(["resolution": .integer(100)])
        #expect(first.bytes == second.bytes)
    }

    @Test("Geometry moves the page, and the lid is visible beside the paper")
    func geometry() async throws {
        let frame = try await page([
            "resolution": .integer(100), "area-left": .number(20), "area-top": .number(80),
            "area-width": .number(196),
            "area-height": .number(100),
        ])
        #expect(frame.description.width == 772)
        #expect(frame.height == 394)
        for step in 0..<16 { #expect(frame.at(10 + 10 * Double(step), 20) == [17 * step]) }
        #expect(frame.at(193, 50) == [96])
    }

    @Test("Mirroring swaps left and right", arguments: ["gray", "color"])
    func mirror(_ mode: String) async throws {
        let plain = try await page(["resolution": .integer(75), "mode": .text(mode)])
        let mirrored = try await page([
            "resolution": .integer(75), "mode": .text(mode), "mirror": .bool(true),
        ])
        for y in [100, 300, 400] {
            let width = plain.description.width
            for x in 0..<width {
                #expect(mirrored.samples(x, y) == plain.samples(width - 1 - x, y))
            }
        }
    }

    @Test("Brightness raises levels, and contrast spreads them around the middle")
    func tones() async throws {
        let bright = try await page(["resolution": .integer(75), "brightness": .number(20)])
        let flat = try await page(["resolution": .integer(75), "contrast": .number(-100)])
        let harder = try await page(["resolution": .integer(75), "contrast": .number(50)])
        for step in 0..<16 {
            let x = 30 + 10 * Double(step)
            #expect(bright.at(x, 100) == [min(255, 17 * step + 51)])
            #expect(flat.at(x, 100) == [128])
            let spread = (17 * Double(step) - 127.5) * 2 + 127.5
            #expect(harder.at(x, 100) == [Int(min(255, max(0, spread)).rounded())])
        }
    }

    @Test("A page of unknown height announces none and brings all rows")
    func unknownHeight() async throws {
        let frame = try await page(["resolution": .integer(75), "unknown-height": .bool(true)])
        #expect(frame.description.height == nil)
        #expect(frame.height == 877)
    }

    @Test("Rows come in pieces, and no piece is the whole page")
    func pieces() async throws {
        let sink = try await Bench().capture("flatbed", ["resolution": .integer(300)])
        #expect(sink.writes.count > 10)
        #expect(sink.writes.max() ?? 0 <= FrameSender.pieceBytes)
        #expect(sink.writes.reduce(0, +) == 2480 * 3508)
    }
}
