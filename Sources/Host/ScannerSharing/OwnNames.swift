import Glibc
import HTTPServer
import Synchronization

/// The names that this machine answers to on the network: its own, with `.local` behind it, and
/// those it was told.
final class OwnNames: Sendable {
    private let names: Mutex<Set<String>>

    init(others: [String], machine: String = OwnNames.machineName()) {
        let own = machine.lowercased()
        let short = own.prefix { $0 != "." }
        names = Mutex(
            Set([own, "\(short)", "\(short).local", "localhost"] + others.map { $0.lowercased() }))
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

    /// The machine's name (`gethostname`).
    static func machineName() -> String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(
            decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
