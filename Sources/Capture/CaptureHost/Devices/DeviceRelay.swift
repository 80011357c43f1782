import CaptureKit
import Synchronization

/// Passes what backends report about their devices to all listeners, in order.
final class DeviceRelay: Sendable {
    /// Called from the backends' threads.
    typealias Listener = @Sendable (_ backend: String, DeviceChange) -> Void

    private struct State {
        var listeners: [Int: Listener] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// Adds a listener; its number is for ``remove(_:)``.
    func add(_ listener: @escaping Listener) -> Int {
        state.withLock { state in
            state.next += 1
            state.listeners[state.next] = listener
            return state.next
        }
    }

    /// Takes a listener away.
    func remove(_ number: Int) { state.withLock { _ = $0.listeners.removeValue(forKey: number) } }

    /// Notifies every listener.
    func send(_ change: DeviceChange, of backend: String) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener(backend, change) }
    }
}
