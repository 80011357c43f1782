/// A new backend in Swift.
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
        import Synchronization

        /// A made-up scanner of test cards, to be replaced by a device of yours.
        struct TestCards: CaptureBackend {
            func devices(_ query: DeviceQuery) async throws -> [DeviceDescriptor] {
                [DeviceDescriptor(id: "card", name: "Test cards", kind: .scanner, sources: ["feeder"])]
            }

            func open(_ id: String) async throws -> any CaptureDevice {
                guard id == "card" else {
                    throw CaptureError(.noSuchDevice, "there is no device '\(id)'")
                }
                return TestCardScanner()
            }
        }

        final class TestCardScanner: CaptureDevice {
            private let list = Mutex(OptionList([CommonSetting.brightness()]))

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
                let (width, height) = (850, 1100)
                for number in 1...(request.limit ?? 1) {
                    let page = try await sink.begin(
                        FrameDescription(
                            format: .gray8, width: width, height: height, resolution: Resolution(x: 100),
                            label: "card \(number)"))
                    for row in 0..<height {
                        // Throws when the capture is canceled: write often. Throw CaptureError(.jammed, "...") for faults.
                        try await page.write((0..<width).map { UInt8(($0 * 255 / width + lift + row) % 256) })
                    }
                    try await page.finish()
                }
            }

            func close() async {}
        }

        """#
}
