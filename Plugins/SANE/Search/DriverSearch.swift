import CSANE
import CaptureKit
import ExpectedFailures
import FoundationEssentials
import Glibc
import TemporaryFolders
import UserFiles

/// The work of one driver's process: it lists the driver's scanners, and opens them to learn their
/// facts.
struct DriverSearch {
    let driver: String
    let request: SearchRequest
    /// The descriptor for the lines.
    let output: Int32

    /// Searches and ends the process; only for a separate process.
    func run() -> Never {
        guard configure() else {
            finish(
                .refused(
                    "no folder for its configuration can be created"))
        }
        // SANE has a separate thread, as in the program that scans.
        Task { @SANEActor in
            work()
            _exit(0)
        }
        while true { pause() }
    }

    /// Makes SANE load only this driver: its loader uses the first `dll.conf` and `dll.d` in the
    /// search path, while other files, such as the driver's own configuration, are looked for in
    /// the folders that follow.
    private func configure() -> Bool {
        let environment = ProcessInfo.processInfo.environment
        let parents = [
            UserFolders(environment: environment).runtime(), environment["TMPDIR"], "/tmp",
        ]
        // The folder belongs only to the user and has a name that no one can guess, so it is safe
        // even in /tmp.
        for parent in parents.compactMap({ $0 }) {
            guard let made = ifSupported({ try TemporaryFolder("sane", in: parent) }) else {
                continue
            }
            let folder = made.path
            let file = open(folder + "/dll.conf", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            let isWritten = file >= 0 && writeAll(Array((driver + "\n").utf8), to: file)
            if file >= 0 { close(file) }
            let isMade = mkdir(folder + "/dll.d", 0o700) == 0 && isWritten
            let rest = getenv("SANE_CONFIG_DIR").map { String(cString: $0) } ?? ""
            setenv("SANE_CONFIG_DIR", folder + ":" + rest, 1)
            let status = isMade ? startSANE() : SANE_STATUS_IO_ERROR
            // SANE's loader has read the files, and this process may be killed at any time.
            made.remove()
            return status == SANE_STATUS_GOOD
        }
        return false
    }

    @SANEActor private func work() {
        let (list, failure) = Authorization.watching { scanners() }.0
        if let failure { finish(.refused(failure)) }
        for scanner in list { report(.found(scanner)) }
        report(.listed)
        if request.opensScanners {
            for scanner in list where !request.known.contains(scanner.id) { look(at: scanner) }
        }
        report(.done)
        sane_exit()
    }

    @SANEActor private func scanners() -> ([FoundScanner], String?) {
        var list: UnsafeMutablePointer<UnsafePointer<SANE_Device>?>?
        let status = sane_get_devices(&list, request.isLocalOnly ? SANE_TRUE : SANE_FALSE)
        guard status == SANE_STATUS_GOOD, let list else {
            return ([], "it answered with \(status.name)")
        }
        let identity = ScannerIdentity(usb: request.usb)
        var ids: Set<String> = []
        var scanners: [FoundScanner] = []
        var index = 0
        while index < 1000, let device = list[index]?.pointee {
            index += 1
            let name = driverText(device.name)
            var id = identity.id(of: name)
            // Two identical devices without serial numbers are distinguished by the driver's own
            // names.
            if ids.contains(id) { id = printable(name) }
            guard !name.isEmpty, ids.insert(id).inserted else { continue }
            scanners.append(FoundScanner(device, id: id, identity.connection(of: name)))
        }
        return (scanners, nil)
    }

    @SANEActor private func look(at scanner: FoundScanner) {
        report(.opening(scanner.id))
        let facts: ScannerFacts
        do throws(SANEFailure) {
            let handle = try ScannerHandle(opening: scanner.name)
            defer { handle.close() }
            facts = ScannerFacts(try handle.options(), deviceType: scanner.type)
        } catch {
            facts = ScannerFacts(error.captureError(device: scanner.title))
        }
        report(.facts(scanner.id, facts))
    }

    private func report(_ event: SearchLine.Event) {
        if !writeAll(SearchLine(driver, event).bytes, to: output) { _exit(1) }
    }

    private func finish(_ event: SearchLine.Event) -> Never {
        report(event)
        report(.done)
        _exit(0)
    }
}
