import CaptureHost
import Clocks
import CommandLine
import ExpectedFailures
import FoundationEssentials
import HTTPServer
import Readers
import Recognition
import ScanService
import ScannerSharing

/// The part of `serve --share` besides the HTTP API: serves the shared devices to scanning
/// programs, and follows changes of the sharing settings.
struct HostSharing {
    private let scanners: SharedScanners
    private let spool: TemporarySpool
    private let listeners: SharingListeners
    private let console: Console
    private let announcer: SharingAnnouncer

    /// The sharing arguments of `serve`.
    struct Request {
        /// The port; 0 for any free port.
        var port: UInt16
        /// Names of this host.
        var names: [String]
        /// The networks that may scan; nil for those of this machine's interfaces.
        var allowed: [Network]?
        /// The certificate and key for TLS, on the next port; nil without TLS.
        var identity: HTTPListener.Identity?
    }

    /// Starts to serve the shared devices.
    ///
    /// - Throws: `ListenError`; an error when the registry of shares can't be read.
    init(
        _ request: Request, host: CaptureHost, recognizer: Readers, counters: HTTPCounters,
        _ console: Console
    ) throws {
        let sharing = try SharingSettings.standard(environment: ProcessInfo.processInfo.environment)
        // Orders of scanning programs are not jobs: they end with this host.
        spool = try TemporarySpool()
        let service = try ScanService(
            host: host, recognizer: recognizer, store: JobStore(root: spool.path + "/jobs")
        ).claiming(
            with: .standard(environment: ProcessInfo.processInfo.environment),
            as: "a scan from the network", waits: false)
        scanners = SharedScanners(sharing, host: host, service: service, names: request.names)
        self.console = console
        try scanners.refresh()
        listeners = try SharingListeners(
            scanners, port: request.port, identity: request.identity, allowed: request.allowed,
            counters: counters)
        announcer = SharingAnnouncer(
            plainPort: listeners.port, securePort: listeners.securePort, console,
            learn: { [scanners] in scanners.answer(to: $0) })
        // The host serves even if its port can't be recorded.
        asHint { try sharing.note(port: listeners.port) }
        console.say("Sharing scanners on port \(listeners.port).")
        if try sharing.shares().isEmpty {
            console.say("Nothing is shared yet. Share a device with: copystand share DEVICE")
        }
    }

    /// Follows the sharing settings until the task is canceled.
    ///
    /// It checks every two seconds, because a scanner does not report that it was switched on.
    func watch(clock: any Clock<Duration> = ContinuousClock()) async {
        var problem = ""
        while !Task.isCancelled {
            do {
                try scanners.refresh()
                problem = ""
            } catch {
                // This is reported once, not every two seconds.
                if "\(error)" != problem { console.warn("\(error)") }
                problem = "\(error)"
            }
            announcer.announce(await scanners.announced())
            await clock.pause(for: .seconds(2))
        }
    }

    /// Stops sharing.
    func stop() async {
        announcer.end()
        scanners.shutDown()
        await listeners.stop()
    }
}
