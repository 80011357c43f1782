import CaptureKit
import Testing

@testable import SANEBackend

extension SANETests {
    /// Tests of color with one bit per sample, on which `scanimage` aborts.
    ///
    /// The expected values come from the driver's own calls.
    @Suite(.serialized) struct ColorTests {
        @SANEActor private func raw(_ settings: [(String, NativeValue)]) throws -> [UInt8] {
            let scanner = FoundScanner(
                name: "test:0", vendor: "", model: "", type: "", id: "test:0")
            let handle = try ScannerDirectory.shared.open(scanner)
            defer {
                handle.close()
                ScannerDirectory.shared.closed(scanner)
            }
            for (name, value) in settings {
                let option = try #require(try handle.options()[name])
                _ = try handle.write(value, to: option)
            }
            _ = try handle.start(page: 1)
            let gate = handle.gate()
            defer { gate.finish() }
            let buffer = ScanBuffer(count: 1 << 20)
            var bytes: [UInt8] = []
            while true {
                let got = try handle.read(into: buffer.bytes, page: 1, gate: gate)
                bytes += buffer.prefix(got.count)
                if got.isEnd { return bytes }
            }
        }

        @Test("A set bit is a bright sample, in one pass and in three", arguments: [false, true])
        func oneBit(_ isThreePass: Bool) async throws {
            let setup = try SANESetup.shared.get()
            let raw = try await raw([
                ("mode", .text("Color")), ("depth", .numbers([1])),
                ("test-picture", .text("Color pattern")), ("resolution", .numbers([40])),
            ])
            let device = try await setup.open("test:0")
            for (name, value) in [
                ("sane-mode", .text("Color")), ("depth", .integer(1)),
                ("test-picture", .text("Color pattern")), ("resolution", .integer(40)),
                ("three-pass", .bool(isThreePass)),
            ] as [(String, OptionValue)] {
                _ = try await device.set(name, to: value)
            }
            let sink = RecordingSink()
            try await device.capture(CaptureRequest(), into: sink)
            await device.close()
            let frame = try #require(sink.frames.first)
            let width = frame.description.width
            #expect(frame.description.format == .rgb8)
            // Eight pixels are three bytes: one of red, one of green, one of blue.
            let rowBytes = (width + 7) / 8 * 3
            var expected: [UInt8] = []
            for y in 0..<raw.count / rowBytes {
                for x in 0..<width {
                    for color in 0..<3 {
                        let byte = raw[y * rowBytes + x / 8 * 3 + color]
                        expected.append(byte >> UInt8(7 - x % 8) & 1 == 1 ? 255 : 0)
                    }
                }
            }
            #expect(Set(expected) == [0, 255])
            expectEqual(frame.bytes, expected)
        }

        @Test("Impossible parameters are refused, and unusual ones are distinguished")
        func forms() {
            func form(
                _ format: UInt32, _ depth: Int32, _ width: Int32, _ stride: Int32, _ lines: Int32
            ) throws -> DriverFrame {
                try DriverFrame(parameters(format, depth, width, stride, lines))
            }
            #expect(throws: CaptureError.self) { _ = try form(0, 8, 0, 0, 5) }
            #expect(throws: CaptureError.self) { _ = try form(0, 8, -5, 5, 5) }
            #expect(throws: CaptureError.self) { _ = try form(0, 8, 100, 99, 5) }
            #expect(throws: CaptureError.self) { _ = try form(1, 16, 100, 300, 5) }
            #expect(throws: CaptureError.self) { _ = try form(0, 8, 100, 100, 0) }
            #expect(throws: CaptureError.self) { _ = try form(0, 8, 100, 1 << 30, 10) }
            #expect(throws: CaptureError.self) { _ = try form(0, 8, 70_000, 70_000, 10) }
            #expect(throws: CaptureError.self) { _ = try form(0, 12, 100, 200, 10) }
            #expect(throws: CaptureError.self) { _ = try form(11, 8, 100, 100, 10) }
            #expect((try? form(0, 1, 9, 2, -1))?.height == nil)
            #expect((try? form(0, 1, 9, 2, -1))?.content == .plain(.bilevel))
            // Padding is passed on as the stride.
            let padded = try? form(1, 8, 10, 40, 7)
            #expect(
                padded?.description(resolution: nil, label: nil, knowsHeight: true)
                    == FrameDescription(
                        format: .rgb8, width: 10, height: 7, stride: 40,
                        facts: PageFacts(origin: .scan)))
        }
    }
}
