import CaptureHost
import CaptureKit
import Synchronization
import Testing

/// Tests how often a device's options are read when its list changes with one option.
@Suite struct KnownOptionsTests {
    @Test(
        "A device that is found for opening has its options read once, before they are needed"
    )
    func ahead() async throws {
        let backend = GrowingBackend()
        let bench = try Bench(backend)
        let device = try await bench.host.open(bench.host.find("fake:shelf", opens: true))
        #expect(try await device.knownOptions().map(\.name) == ["size", "level"])
        #expect(try await device.knownOptions().count == 2)
        #expect(backend.tellings.withLock { $0 } == 1)
        await bench.host.shutdown()
    }

    @Test(
        "Known options are reread only for a value that they refuse")
    func outdated() async throws {
        let backend = GrowingBackend()
        let bench = try Bench(backend)
        let device = try await bench.open("fake:shelf")
        let before = backend.tellings.withLock { $0 }
        #expect(try await device.knownOptions().count == 2)
        #expect(try await device.set("size", to: .integer(9)).reloadOptions)
        #expect(try await device.set("level", to: .integer(2)).value == .integer(2))
        #expect(backend.tellings.withLock { $0 } == before + 1)

        let (asked, outcome) = try await device.set("level", toText: "7")
        #expect(asked == .integer(7) && outcome.value == .integer(7))
        #expect(backend.tellings.withLock { $0 } == before + 2)
        await bench.host.shutdown()
    }

    @Test("A device refuses a value that became invalid, and the next reading shows why")
    func refused() async throws {
        let backend = GrowingBackend()
        let bench = try Bench(backend)
        let device = try await bench.open("fake:shelf")
        _ = try await device.set("size", to: .integer(9))
        _ = try await device.set("level", to: .integer(8))
        _ = try await device.set("size", to: .integer(2))
        await #expect {
            _ = try await device.set("level", to: .integer(5))
        } throws: { ($0 as? HostError)?.message == "no level 5" }
        let level = try await device.knownOptions().first { $0.name == "level" }
        #expect(level?.type == .integer(range: 1...2, step: nil))
        await bench.host.shutdown()
    }
}

/// A device with an option `level` whose greatest value is `size`.
private final class GrowingBackend: CaptureBackend, CaptureDevice {
    let tellings = Mutex(0)
    private let values = Mutex((size: 3, level: 1))

    var descriptor: DeviceDescriptor? {
        DeviceDescriptor(id: "shelf", name: "A shelf", kind: .scanner)
    }

    func devices(_ query: DeviceQuery) async throws -> [DeviceDescriptor] {
        descriptor.map { [$0] } ?? []
    }

    func open(_ id: String) async throws -> any CaptureDevice { self }

    func options() async throws -> [DeviceOption] {
        tellings.withLock { $0 += 1 }
        let (size, level) = values.withLock { $0 }
        return [
            DeviceOption(
                name: "size", title: "Size", help: "", type: .integer(range: 1...9, step: nil),
                value: .integer(size)),
            DeviceOption(
                name: "level", title: "Level", help: "",
                type: .integer(range: 1...size, step: nil), value: .integer(level)),
        ]
    }

    func set(_ option: String, to value: OptionValue) async throws -> OptionOutcome {
        guard case .integer(let number) = value else {
            throw CaptureError(.invalidValue, "no number")
        }
        try values.withLock { values in
            if option == "size" {
                values = (number, min(values.level, number))
            } else {
                guard number <= values.size else {
                    throw CaptureError(.invalidValue, "no level \(number)")
                }
                values.level = number
            }
        }
        return OptionOutcome(value: value, reloadOptions: option == "size")
    }

    func capture(_ request: CaptureRequest, into sink: any FrameSink) async throws {}
    func close() async {}
}
