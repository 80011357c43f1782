import CaptureKit
import Synchronization

/// Passes backends' reports about devices, and their failures, to all listeners in order.
final class DeviceRelay: Sendable {
    /// A function that backends' threads call with changes of devices.
    typealias Listener = @Sendable (_ backend: String, DeviceChange) -> Void
    /// A function that is called from the thread of a backend that fails.
    typealias FailureListener = @Sendable (_ backend: String, HostError) -> Void

    private struct State {
        var listeners: [Int: (change: Listener, failure: FailureListener)] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// Adds a listener, and returns its number for ``remove(_:)``.
    func add(
        _ listener: @escaping Listener, onFailure: @escaping FailureListener = { _, _ in }
    ) -> Int {
        state.withLock { state in
            state.next += 1
            state.listeners[state.next] = (listener, onFailure)
            return state.next
        }
    }

    /// Removes the listener with this number.
    func remove(_ number: Int) { state.withLock { _ = $0.listeners.removeValue(forKey: number) } }

    /// Notifies every listener.
    func send(_ change: DeviceChange, of backend: String) {
        for listener in state.withLock({ Array($0.listeners.values) }) {
            listener.change(backend, change)
        }
    }

    /// Notifies every listener of a failure.
    func send(_ failure: HostError, of backend: String) {
        for listener in state.withLock({ Array($0.listeners.values) }) {
            listener.failure(backend, failure)
        }
    }
}
