/// The files of a new backend in Swift.
enum SwiftTemplate {
    static let package = #"""
        // swift-tools-version: 6.0
        import PackageDescription

        let package = Package(
            name: "{{id}}",
            dependencies: [{{dependency}}],
            targets: [
                .executableTarget(
                    name: "{{id}}",
                    dependencies: [.product(name: "CaptureKit", package: "{{identity}}")])
            ]
        )

        """#

    static let main = #"""
        import CaptureKit

        BackendProgram.run(name: "{{title}}", version: "1.0", backend: TestCards())

        """#

    static let program = #"""
        import CaptureKit
        import Glibc
        import Synchronization

        /// A made-up scanner of test cards, to be replaced by your device.
        struct TestCards: CaptureBackend {
            /// Replace the fake device with yours; use it only if {{variable}} is set, as in tests.
            func devices(_ query: DeviceQuery) async throws -> [DeviceDescriptor] {
                [DeviceDescriptor(id: "card", name: "Test cards", kind: .scanner, sources: ["feeder"])]
            }

            func open(_ id: String) async throws -> any CaptureDevice {
                guard id == "card" else {
                    throw CaptureError(.noSuchDevice, "there is no device '\(id)'")
                }
                let fault = getenv("{{variable}}").map { String(cString: $0) } ?? ""
                return TestCardScanner(FakeScanner(fault: fault))
            }
        }

        final class TestCardScanner: CaptureDevice {
            private let list = Mutex(OptionList([CommonSetting.brightness()]))
            private let scanner: FakeScanner

            init(_ scanner: FakeScanner) { self.scanner = scanner }

            func options() async throws -> [DeviceOption] { list.withLock { $0.all } }

            func set(_ name: String, to value: OptionValue) async throws -> OptionOutcome {
                OptionOutcome(value: try list.withLock { try $0.set(name, to: value) })
            }

            func capture(_ request: CaptureRequest, into sink: any FrameSink) async throws {
                guard request.mode == .pages else {
                    throw CaptureError(.unsupported, "test cards have no live view")
                }
                guard case .number(let brightness) = list.withLock({ $0["brightness"]?.value }) else { return }
                // 0 % is the middle of the driver's own range.
                let lift = Int(CommonSetting.level(brightness, in: 0...255))
                let (width, height) = (FakeScanner.width, FakeScanner.height)
                for number in 1...(request.limit ?? 1) {
                    switch scanner.feed() {
                    case .fed: break
                    case .empty:
                        throw CaptureError(.feederEmpty, "there is no card in the feeder")
                    case .jammed:
                        throw CaptureError(.jammed, "card \(number) is jammed", advice: "Pull it out.")
                    }
                    let page = try await sink.begin(
                        FrameDescription(
                            format: .gray8, width: width, height: height, resolution: Resolution(x: 100),
                            label: "card \(number)"))
                    for row in 0..<height {
                        // Throws when the capture is canceled: write often.
                        try await page.write(scanner.row(row, lift))
                    }
                    try await page.finish()
                }
            }

            func close() async {}
        }

        """#

    static let fake = #"""
        import Synchronization

        /// A made-up scanner, so that tests need no hardware.
        final class FakeScanner: Sendable {
            static let (width, height) = (850, 1100)

            /// The result of feeding the next card.
            enum Feeding { case fed, empty, jammed }

            /// The scanner's fault: "empty", "jam" (at the second card), or anything else for none.
            private let fault: String
            private let fed = Mutex(0)

            init(fault: String) { self.fault = fault }

            /// Feeds the next card.
            func feed() -> Feeding {
                let number = fed.withLock { fed in
                    fed += 1
                    return fed
                }
                if fault == "jam", number == 2 { return .jammed }
                return fault == "empty" ? .empty : .fed
            }

            /// The pixels of a row: a ramp that is shifted row by row.
            func row(_ number: Int, _ lift: Int) -> [UInt8] {
                (0..<Self.width).map { UInt8(($0 * 255 / Self.width + lift + number) % 256) }
            }
        }

        """#
}
