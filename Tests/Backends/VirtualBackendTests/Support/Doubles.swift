import CaptureKit
import Synchronization

@testable import VirtualBackend

/// A clock that advances only when code sleeps or a test moves it.
final class ManualPacer: Pacer {
    private let state = Mutex<(now: Duration, slept: [Duration])>((.zero, []))

    /// The moments at which sleeps ended, in order.
    var slept: [Duration] { state.withLock { $0.slept } }

    func now() -> Duration { state.withLock { $0.now } }

    func advance(by time: Duration) { state.withLock { $0.now += time } }

    func sleep(until moment: Duration) async throws {
        try Task.checkCancellation()
        state.withLock {
            $0.slept.append(moment)
            $0.now = max($0.now, moment)
        }
    }
}

/// Records the actions by which the real actuator would damage the process, and throws if the real
/// one would never return.
final class NotingActuator: FaultActuator {
    private let notes = Mutex<[FaultAct]>([])

    var acts: [FaultAct] { notes.withLock { $0 } }

    func perform(_ act: FaultAct) async throws {
        notes.withLock { $0.append(act) }
        if act != .garbage && act != .noise { throw Broken(act: act) }
    }

    /// Thrown instead of ending the process.
    struct Broken: Error, Hashable {
        var act: FaultAct
    }
}

/// A backend with the test's own clock and actuator.
struct Bench {
    let pacer = ManualPacer()
    let actuator = NotingActuator()
    let backend: VirtualBackend

    init(_ environment: [String: String] = [:]) {
        backend = VirtualBackend(environment: environment, actuator: actuator, pacer: pacer)
    }

    /// Opens a device and sets options in order.
    func device(_ id: String, _ settings: KeyValuePairs<String, OptionValue> = [:]) async throws
        -> any CaptureDevice
    {
        let device = try await backend.open(id)
        for (name, value) in settings { _ = try await device.set(name, to: value) }
        return device
    }

    /// Captures with a fresh sink and returns it.
    func capture(
        _ id: String, _ settings: KeyValuePairs<String, OptionValue> = [:],
        _ request: CaptureRequest = CaptureRequest()
    ) async throws -> RecordingSink {
        let sink = RecordingSink()
        try await device(id, settings).capture(request, into: sink)
        return sink
    }
}

extension CaptureDevice {
    /// The option with that name.
    func option(_ name: String) async throws -> DeviceOption? {
        try await options().first { $0.name == name }
    }
}
