import CaptureKit
import Glibc

// A backend for measurements: a camera that writes every pixel of every frame into the host's
// memory, a camera that writes none, and a thousand devices.

BackendProgram.run(name: "Benchmark", version: "1.0", backend: BenchBackend())

struct BenchBackend: CaptureBackend {
    func devices(_ query: DeviceQuery) async throws -> [DeviceDescriptor] {
        // Two cameras, and other devices to make a thousand.
        [
            DeviceDescriptor(id: "writes", name: "Writes", kind: .camera),
            DeviceDescriptor(id: "passes", name: "Passes", kind: .camera),
        ]
            + (3...1000).map {
                DeviceDescriptor(
                    id: "usb:04b8:\($0)", name: "Scanner \($0)", vendor: "Epson",
                    model: "Perfection", kind: .scanner, connection: "USB", sources: ["flatbed"])
            }
    }

    func open(_ id: String) async throws -> any CaptureDevice {
        BenchCamera(writes: id == "writes")
    }
}

struct BenchCamera: CaptureDevice {
    let writes: Bool

    func options() async throws -> [DeviceOption] { [] }

    func set(_ option: String, to value: OptionValue) async throws -> OptionOutcome {
        throw CaptureError(.noSuchOption, "there are no options")
    }

    func capture(_ request: CaptureRequest, into sink: any FrameSink) async throws {
        var value: Int32 = 0
        while true {
            let frame = try await sink.begin(
                FrameDescription(format: .rgb8, width: 1920, height: 1080))
            let shade = value
            value = (value + 1) % 256
            try await frame.fill(count: 1920 * 1080 * 3) { memory in
                if writes, let start = memory.baseAddress { memset(start, shade, memory.count) }
                return memory.count
            }
            try await frame.finish()
        }
    }

    func close() async {}
}
