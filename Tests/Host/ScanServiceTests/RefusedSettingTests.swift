import CaptureHost
import CaptureKit
import Synchronization
import Testing

@testable import ScanService

/// Tests the settings of a camera after it has refused one of several.
@Suite struct RefusedSettingTests {
    /// A camera whose exposure becomes manual by itself, as with drivers of cameras, and which
    /// keeps its settings.
    private final class Camera: CaptureBackend, CaptureDevice {
        let values = Mutex<[String: OptionValue]>([
            "exposure": .integer(100), "exposure-auto": .bool(true), "focus": .integer(5),
        ])
        /// The settings are in the drivers' order: a governing control comes before the controls
        /// that it governs.
        static let names = ["exposure-auto", "exposure", "focus"]
        let sets = Mutex<[String]>([])

        var descriptor: DeviceDescriptor? { nil }

        func devices(_ query: DeviceQuery) async throws -> [DeviceDescriptor] {
            [DeviceDescriptor(id: "0", name: "Camera", kind: .camera)]
        }

        func open(_ id: String) async throws -> any CaptureDevice { self }

        func options() async throws -> [DeviceOption] {
            values.withLock { values in
                Self.names.map { name in
                    DeviceOption(
                        name: name, title: name, help: "",
                        type: name == "exposure-auto"
                            ? .toggle : .integer(range: 0...1000, step: nil),
                        value: values[name])
                }
            }
        }

        func set(_ option: String, to value: OptionValue) async throws -> OptionOutcome {
            sets.withLock { $0.append(option) }
            if option == "focus" { throw CaptureError(.invalidValue, "the lens is stuck") }
            values.withLock { values in
                values[option] = value
                if option == "exposure" { values["exposure-auto"] = .bool(false) }
            }
            return OptionOutcome(value: value, reloadOptions: true)
        }

        func capture(_ request: CaptureRequest, into sink: any FrameSink) async throws {}

        func close() async {}
    }

    private static func apply(_ settings: [(String, String)], to camera: Camera) async throws {
        let host = CaptureHost(
            HostConfiguration(backendFolders: [], stateFile: "/nowhere/devices.json"),
            inProcess: ["camera": camera])
        let device = try await host.open(host.find("camera:0"))
        do {
            try await device.apply(settings.map { .init(option: $0.0, value: $0.1) }) { _ in }
        } catch {
            await host.shutdown()
            throw error
        }
        await host.shutdown()
    }

    @Test(
        "A camera that refuses a later setting gets its old values back, including automatic ones",
        arguments: [
            [("exposure", "300")], [("exposure-auto", "no"), ("exposure", "300")],
            [("exposure", "300"), ("exposure-auto", "no")],
        ])
    func restored(settings: [(String, String)]) async throws {
        let camera = Camera()
        let before = camera.values.withLock { $0 }
        await #expect {
            try await Self.apply(settings + [("focus", "9")], to: camera)
        } throws: {
            ($0 as? HostError)?.message.contains("the lens is stuck") == true
        }
        #expect(camera.values.withLock { $0 } == before)
        #expect(
            camera.sets.withLock { $0 }
                == settings.map(\.0) + ["focus", "exposure", "exposure-auto"])
    }

    @Test("Accepted settings stay")
    func taken() async throws {
        let camera = Camera()
        try await Self.apply([("exposure", "300")], to: camera)
        #expect(
            camera.values.withLock { $0 } == [
                "exposure": .integer(300), "exposure-auto": .bool(false), "focus": .integer(5),
            ])
    }
}
