import HTTPServer
import Synchronization

/// The names of this machine on the network: its own, the one with `.local`, and added names.
final class OwnNames: Sendable {
    private let names: Mutex<Set<String>>

    init(others: [String], machine: String = ThisMachine.name) {
        names = Mutex(
            Set(ThisMachine.names(of: machine) + ["localhost"] + others.map { $0.lowercased() }))
    }

    /// Adds another name, because the network's name for this machine can change.
    func add(_ name: String) { names.withLock { _ = $0.insert(name.lowercased()) } }

    /// True if a request for this `Host` is for this machine: by address, or by a name with or
    /// without the dot at its end.
    func areMeant(by host: String) -> Bool {
        guard var name = HostName.name(of: host) else { return false }
        if HostName.isAddress(name) { return true }
        if name.hasSuffix(".") { name.removeLast() }
        return names.withLock { $0.contains(name) }
    }
}
