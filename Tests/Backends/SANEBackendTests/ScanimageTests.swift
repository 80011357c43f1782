import CaptureKit
import Testing

/// Tests that use SANE itself run one after another, because SANE has one state for the whole
/// process.
@Suite(.serialized) struct SANETests {}

extension SANETests {
    /// Compares our pixels of SANE's `test` driver with those of `scanimage`, byte for byte.
    @Suite struct ScanimageTests {
        struct Settings: CustomTestStringConvertible, Sendable {
            var values: [(String, String)]
            var testDescription: String { values.map { "\($0)=\($1)" }.joined(separator: " ") }

            /// The arguments for `scanimage`.
            ///
            /// It does not support three passes at 16 bits, whose pixels are those of one pass.
            var arguments: [String] {
                let isDeep = values.contains { $0 == ("depth", "16") }
                return values.filter { !isDeep || !$0.0.hasPrefix("three-pass") }
                    .map { "--\($0)=\($1)" }
            }
        }

        static let pictures = ["Solid black", "Solid white", "Color pattern", "Grid"]

        static var all: [Settings] {
            var all: [Settings] = []
            for picture in pictures {
                for (mode, depth) in [
                    ("Gray", 1), ("Gray", 8), ("Gray", 16), ("Color", 8), ("Color", 16),
                ] {
                    let base = [
                        ("mode", mode), ("depth", "\(depth)"), ("resolution", "47"),
                        ("test-picture", picture),
                    ]
                    all.append(Settings(values: base))
                    if picture == "Color pattern" {
                        all.append(Settings(values: base + [("hand-scanner", "yes")]))
                    }
                    if mode == "Color" {
                        all.append(Settings(values: base + [("three-pass", "yes")]))
                    }
                }
            }
            for extra in [
                [("three-pass", "yes"), ("three-pass-order", "BRG")],
                [("three-pass", "yes"), ("hand-scanner", "yes")],
                [("read-limit", "yes"), ("read-limit-size", "777")],
                [("non-blocking", "yes")], [("select-fd", "yes")], [("fuzzy-parameters", "yes")],
                [("invert-endianess", "yes")], [("source", "Automatic Document Feeder")],
                [("read-delay", "yes"), ("read-delay-duration", "1000")],
            ] {
                let base = [
                    ("mode", "Color"), ("depth", "16"), ("resolution", "31"),
                    ("test-picture", "Color pattern"),
                ]
                all.append(Settings(values: base + extra))
            }
            return all
        }

        @Test("Pages have the same pixels as scanimage's", arguments: all)
        func equalsScanimage(_ settings: Settings) async throws {
            let setup = try SANESetup.shared.get()
            let file = try setup.scanimage(["-d", "test:0"] + settings.arguments)
            let theirs = try #require(PNM(file))
            let device = try await setup.open("test:0")
            let options = try await device.options()
            for (name, value) in settings.values {
                let name = options.contains { $0.name == "sane-\(name)" } ? "sane-\(name)" : name
                let option = try #require(options.first { $0.name == name })
                _ = try await device.set(name, to: typed(value, option.type))
            }
            let sink = RecordingSink()
            try await device.capture(CaptureRequest(limit: 1), into: sink)
            await device.close()
            let ours = try #require(sink.frames.first)
            #expect(sink.frames.count == 1)
            #expect(ours.description.width == theirs.width)
            #expect(ours.description.format == theirs.format)
            expectEqual(ours.bytes, theirs.bytes)
            let isHand = settings.values.contains { $0.0 == "hand-scanner" }
            #expect(ours.description.height == (isHand ? nil : theirs.height))
        }

        private func typed(_ text: String, _ type: OptionType) -> OptionValue {
            switch type {
            case .toggle: .bool(text == "yes")
            case .integer, .integerChoice: .integer(Int(text) ?? -1)
            case .number: .number(Double(text) ?? -1)
            default: .text(text)
            }
        }

        @Test("The area in millimeters is the same as scanimage's, at 300 dpi")
        func area() async throws {
            let setup = try SANESetup.shared.get()
            let file = try setup.scanimage([
                "-d", "test:0", "--mode=Gray", "--depth=8", "--resolution=300",
                "--test-picture=Grid", "-l", "20", "-t", "30", "-x", "50", "-y", "40",
            ])
            let theirs = try #require(PNM(file))
            let device = try await setup.open("test:0")
            for (name, value) in [
                ("mode", .text("gray")), ("resolution", .integer(300)),
                ("test-picture", .text("Grid")), ("area-width", .number(50)),
                ("area-height", .integer(40)), ("area-left", .number(20)),
                ("area-top", .integer(30)),
            ] as [(String, OptionValue)] {
                _ = try await device.set(name, to: value)
            }
            let sink = RecordingSink()
            try await device.capture(CaptureRequest(), into: sink)
            await device.close()
            expectEqual(try #require(sink.frames.first).bytes, theirs.bytes)
            #expect(sink.frames.first?.description.resolution == Resolution(x: 300))
        }
    }
}

/// Expects the same bytes, and reports the place of the first difference instead of all bytes.
func expectEqual(
    _ ours: [UInt8], _ theirs: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
) {
    // Comparing millions of bytes one by one takes seconds in a debug build.
    if ours == theirs { return }
    let place = zip(ours, theirs).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    Issue.record(
        "\(ours.count) and \(theirs.count) bytes differ first at \(place ?? -1)",
        sourceLocation: sourceLocation)
}
