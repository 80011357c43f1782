import CommandLine
import ScannerSharing
import ServiceDiscovery
import Synchronization

/// Announces shared scanners on the network, and withdraws announcements of others.
final class SharingAnnouncer: Sendable {
    private struct State {
        var made: [SharedScanners.Announced: ServiceAnnouncement] = [:]
        /// True if a problem was already reported, so that it is reported only once.
        var reportedMissing = false
    }

    private let plainPort: UInt16
    private let securePort: UInt16?
    private let console: Console
    /// Gets this machine's name.
    private let learn: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameter securePort: nil where TLS is not used.
    init(
        plainPort: UInt16, securePort: UInt16?, _ console: Console,
        learn: @escaping @Sendable (String) -> Void
    ) {
        (self.plainPort, self.securePort, self.console) = (plainPort, securePort, console)
        self.learn = learn
    }

    /// Announces exactly these scanners.
    func announce(_ scanners: [SharedScanners.Announced]) {
        let (gone, new) = state.withLock { state in
            let gone = state.made.filter { !scanners.contains($0.key) }
            for scanner in gone.keys { state.made[scanner] = nil }
            return (gone.values, scanners.filter { state.made[$0] == nil })
        }
        for announcement in gone { announcement.end() }
        for scanner in new {
            do {
                let announcement = try ServiceAnnouncement(scanner.name, services(of: scanner)) {
                    [self] in
                    say($0, of: scanner)
                }
                state.withLock { $0.made[scanner] = announcement }
            } catch {
                sayMissing(error.message)
            }
        }
    }

    /// Withdraws all announcements.
    func end() { announce([]) }

    private func say(_ event: ServiceAnnouncement.Event, of scanner: SharedScanners.Announced) {
        switch event {
        case .machine(let name): learn(name)
        case .announced(let name): console.say("Announced on the network: \(name)")
        case .renamed(let name):
            console.say(
                "Another scanner is called '\(scanner.name)', so this one is announced as '\(name)'."
            )
        case .noDaemon:
            sayMissing(
                "The Avahi daemon is not running, so other machines can't find shared scanners. Start it: sudo systemctl start avahi-daemon"
            )
        case .failed(let reason):
            console.warn("'\(scanner.name)' can't be announced on the network: \(reason).")
        }
    }

    private func sayMissing(_ words: String) {
        let isFirst = state.withLock { state in
            defer { state.reportedMissing = true }
            return !state.reportedMissing
        }
        if isFirst { console.warn(words) }
    }

    private func services(of scanner: SharedScanners.Announced) -> [ServiceAnnouncement.Service] {
        var services = [
            ServiceAnnouncement.Service(
                type: "_uscan._tcp", port: plainPort,
                records: scanner.records(base: "http://%h:\(plainPort)"))
        ]
        if let securePort {
            services.append(
                ServiceAnnouncement.Service(
                    type: "_uscans._tcp", port: securePort,
                    records: scanner.records(base: "https://%h:\(securePort)")))
        }
        return services
    }
}
