import HTTPServer
import Synchronization

/// The names that this machine answers to on the network: its own, with `.local` after it, and
/// those that were added.
final class OwnNames: Sendable {
    private let names: Mutex<Set<String>>

    init(others: [String], machine: String = ThisMachine.name) {
        names = Mutex(
            Set(ThisMachine.names(of: machine) + ["localhost"] + others.map { $0.lowercased() }))
    }

    /// Answers to another name from here on: what the network calls this machine can change.
    func add(_ name: String) { names.withLock { _ = $0.insert(name.lowercased()) } }

    /// Whether a request for this `Host` is for this machine: by address, or by a name with or
    /// without the dot at its end.
    func areMeant(by host: String) -> Bool {
        var name = HostName.name(of: host)
        if HostName.isAddress(name) { return true }
        if name.hasSuffix(".") { name.removeLast() }
        return names.withLock { $0.contains(name) }
    }
}
