import CaptureKit
import Synchronization

/// Turns answers and announcements of backends into events: each device is reported once, and then
/// its changes.
final class DeviceWatch: Sendable {
    private struct State {
        var entries = DeviceRegistry.Entries()
        var devices: [String: ListedDevice] = [:]
        /// The last problems of every backend, so that each is reported only once.
        var problems: [String: [HostError]] = [:]
    }

    private let backends: Set<String>
    private let continuation: AsyncStream<DeviceEvent>.Continuation
    private let state: Mutex<State>

    /// Watches `backends` and reports changes to the stream.
    init(backends: [String], _ continuation: AsyncStream<DeviceEvent>.Continuation) {
        self.backends = Set(backends)
        self.continuation = continuation
        state = Mutex(State())
    }

    /// Updates the aliases and the default device.
    func take(_ entries: DeviceRegistry.Entries) { state.withLock { $0.entries = entries } }

    /// Handles a change that a backend announces.
    func take(_ change: DeviceChange, of backend: String) {
        guard backends.contains(backend) else { return }
        switch change {
        case .added(let descriptor), .changed(let descriptor): see(descriptor, of: backend)
        case .removed(let id): lose(backend + ":" + id)
        }
    }

    /// Reports a backend's failure once; its devices stay until it is asked again.
    func take(failure: HostError, of backend: String) {
        guard backends.contains(backend) else { return }
        let isNew = state.withLock { state in
            let isNew = !(state.problems[backend] ?? []).contains(failure)
            if isNew { state.problems[backend, default: []].append(failure) }
            return isNew
        }
        if isNew { continuation.yield(.problem(failure)) }
    }

    /// Handles a backend's complete list: devices that are not in it are gone.
    func take(_ answer: DeviceAnswer, of backend: String) {
        if answer.failure == nil {
            for descriptor in answer.devices { see(descriptor, of: backend) }
        }
        // Devices of a backend that could not answer can't be used.
        let ids = Set(answer.devices.map { backend + ":" + $0.id })
        let lost = state.withLock { state in
            state.devices.values.filter { $0.backend == backend && !ids.contains($0.id) }.map(\.id)
        }
        for id in lost.sorted() { lose(id) }
        let new = state.withLock { state in
            defer { state.problems[backend] = answer.problems }
            return answer.problems.filter { !(state.problems[backend] ?? []).contains($0) }
        }
        for problem in new { continuation.yield(.problem(problem)) }
        continuation.yield(.answered(backend: backend))
    }

    /// Reports a problem that is not part of a backend's answer once.
    func take(_ problem: HostError) {
        let isNew = state.withLock { state in
            // The key starts with a sign that no backend's id has.
            state.problems.updateValue([problem], forKey: "!" + (problem.backend ?? "")) != [
                problem
            ]
        }
        if isNew { continuation.yield(.problem(problem)) }
    }

    private func see(_ descriptor: DeviceDescriptor, of backend: String) {
        // The stream is filled under the lock, because announcements and answers come from
        // different threads.
        state.withLock { state in
            let device = state.entries.listed(descriptor, backend: backend)
            let isRoom = state.devices.count < backends.count * DeviceRules.most
            guard isRoom || state.devices[device.id] != nil else { return }
            let before = state.devices.updateValue(device, forKey: device.id)
            if before == nil {
                continuation.yield(.added(device))
            } else if before != device {
                continuation.yield(.changed(device))
            }
        }
    }

    private func lose(_ id: String) {
        state.withLock { state in
            guard state.devices.removeValue(forKey: id) != nil else { return }
            continuation.yield(.removed(id: id))
        }
    }
}
