package import CaptureKit
package import Synchronization

/// A backend for tests of the host, with its devices and the function of each capture.
package final class FakeBackend: CaptureBackend {
    package let descriptors: [DeviceDescriptor]
    package let body: @Sendable (FakeDevice, CaptureRequest, any FrameSink) async throws -> Void
    package let stream: AsyncStream<DeviceChange>?
    package let closes = Mutex(0)

    package init(
        devices: [DeviceDescriptor] = [.fake("feeder")], changes: AsyncStream<DeviceChange>? = nil,
        body: @escaping @Sendable (FakeDevice, CaptureRequest, any FrameSink) async throws -> Void =
            {
                try await $0.capturePages($1, $2)
            }
    ) {
        descriptors = devices
        stream = changes
        self.body = body
    }

    package func devices(_ query: DeviceQuery) async throws -> [DeviceDescriptor] { descriptors }

    package func open(_ id: String) async throws -> any CaptureDevice {
        // Ids that begin with a slash are opened without being listed, as files are.
        let isPath = id.hasPrefix("/") && !id.hasSuffix("missing")
        guard isPath || descriptors.contains(where: { $0.id == id }) else {
            throw CaptureError(.noSuchDevice, "there is no '\(id)'")
        }
        return FakeDevice(self, isPath ? .fake(id, name: "the file \(id)", kind: .files) : nil)
    }

    package func changes() async -> AsyncStream<DeviceChange>? { stream }
}

extension DeviceDescriptor {
    package static func fake(
        _ id: String, name: String? = nil, vendor: String? = nil, model: String? = nil,
        kind: DeviceKind = .scanner
    ) -> DeviceDescriptor {
        DeviceDescriptor(
            id: id, name: name ?? "Fake \(id)", vendor: vendor, model: model, kind: kind)
    }
}

/// A device with an option of each kind.
package final class FakeDevice: CaptureDevice {
    package let descriptor: DeviceDescriptor?
    private let backend: FakeBackend
    private let values = Mutex<[String: OptionValue]>([
        "pages": .integer(3), "mode": .text("Gray"), "resolution": .integer(300),
        "gamma": .number(1.5), "mirror": .bool(false), "title": .text("page"),
    ])

    init(_ backend: FakeBackend, _ descriptor: DeviceDescriptor?) {
        self.backend = backend
        self.descriptor = descriptor
    }

    static let types: [(String, OptionType)] = [
        ("gamma", .number(range: 0.5...2.5, step: 0.5)), ("mirror", .toggle),
        ("mode", .choice(["Gray", "Color", "Lineart"])),
        ("pages", .integer(range: 1...9, step: nil)),
        ("resolution", .integerChoice([75, 300, 600])),
        ("title", .text(maximumLength: 20)),
    ]

    package func options() async throws -> [DeviceOption] {
        FakeDevice.types.map { name, type in
            DeviceOption(
                name: name, title: name, help: "", type: type, value: values.withLock { $0[name] })
        } + [
            DeviceOption(name: "calibrate", title: "Calibrate", help: "", type: .button),
            DeviceOption(
                name: "lamp", title: "Lamp", help: "", type: .toggle, value: .bool(true),
                isReadOnly: true),
        ]
    }

    package func set(_ option: String, to value: OptionValue) async throws -> OptionOutcome {
        guard let type = FakeDevice.types.first(where: { $0.0 == option })?.1 else {
            throw CaptureError(.noSuchOption, "no option is called '\(option)'")
        }
        let fits =
            switch (type, value) {
            case (.toggle, .bool), (.text, .text): true
            case (.integer(let range?, _), .integer(let value)): range.contains(value)
            case (.number(let range?, _), .number(let value)): range.contains(value)
            case (.number(let range?, _), .integer(let value)): range.contains(Double(value))
            case (.integerChoice(let choices), .integer(let value)): choices.contains(value)
            case (.choice(let choices), .text(let value)): choices.contains(value)
            default: false
            }
        guard fits else { throw CaptureError(.invalidValue, "'\(option)' does not take \(value)") }
        values.withLock { $0[option] = value }
        return OptionOutcome(value: value)
    }

    package func capture(_ request: CaptureRequest, into sink: any FrameSink) async throws {
        try await backend.body(self, request, sink)
    }

    package func close() async { backend.closes.withLock { $0 += 1 } }

    /// Captures as many pages as the option says: 40 × 30 gray pixels, each page filled with its
    /// number.
    package func capturePages(_ request: CaptureRequest, _ sink: any FrameSink) async throws {
        guard case .integer(let pages) = values.withLock({ $0["pages"] }) else { return }
        for number in 1...min(pages, request.limit ?? pages) {
            try await page(number, sink)
        }
    }

    package func page(_ number: Int, _ sink: any FrameSink) async throws {
        let writer = try await sink.begin(.small)
        for _ in 0..<30 { try await writer.write([UInt8](repeating: UInt8(number), count: 40)) }
        try await writer.finish()
    }
}

extension FrameDescription {
    package static let small = FrameDescription(
        format: .gray8, width: 40, height: 30, resolution: Resolution(x: 100), label: "small")
}
