import CSANE
import CaptureKit
import Synchronization

/// Every scanner that SANE sees, and the start and end of SANE itself.
///
/// There is one, for SANE is one for the whole process.
@SANEActor final class ScannerDirectory {
    static let shared = ScannerDirectory()

    private var isStarted = false
    /// True once a scanner was opened since the start: some drivers keep its settings for whoever opens it next.
    private var wasUsed = false
    private var found: [FoundScanner] = []
    private var inUse: Set<String> = []
    private var probing: Task<Void, Never>?
    /// What opening told, by id; behind a lock, for it is read while SANE's thread may hang in a driver.
    nonisolated private let facts = Mutex<[String: ScannerFacts]>([:])

    /// Looks for scanners (`sane_get_devices`).
    ///
    /// SANE only sees what was plugged in since by starting anew, which is done unless a scanner is in use; then the list of
    /// before is given, so that no driver is disturbed while another scans.
    func search(localOnly: Bool) throws(SANEFailure) -> [FoundScanner] {
        guard inUse.isEmpty || found.isEmpty else { return found }
        try start(anew: inUse.isEmpty)
        var list: UnsafeMutablePointer<UnsafePointer<SANE_Device>?>?
        let (status, asked) = Authorisation.watching {
            sane_get_devices(&list, localOnly ? SANE_TRUE : SANE_FALSE)
        }
        guard status == SANE_STATUS_GOOD, let list else {
            throw SANEFailure(status: status, activity: .listing, askedForPassword: asked)
        }
        let identity = ScannerIdentity(usb: USBDevices())
        var ids: Set<String> = []
        var scanners: [FoundScanner] = []
        while scanners.count < 1000, let device = list[scanners.count]?.pointee {
            let name = driverText(device.name)
            var id = identity.id(of: name)
            if !ids.insert(id).inserted {
                // Two drivers' names for one device, or two devices alike: the driver's own name tells them apart.
                id = printable(name)
                ids.insert(id)
            }
            scanners.append(
                FoundScanner(
                    name: name, vendor: driverText(device.vendor), model: driverText(device.model),
                    type: driverText(device.type), id: id,
                    connection: identity.connection(of: name)))
        }
        var names: Set<String> = []
        found = scanners.filter { !$0.name.isEmpty && names.insert($0.id).inserted }
        return found
    }

    private func start(anew: Bool) throws(SANEFailure) {
        if isStarted {
            guard anew else { return }
            sane_exit()
            isStarted = false
            wasUsed = false
        }
        var version: SANE_Int = 0
        let status = sane_init(&version, Authorisation.callback)
        guard status == SANE_STATUS_GOOD else {
            throw SANEFailure(status: status, activity: .listing)
        }
        isStarted = true
    }

    // MARK: Opening

    /// Opens the scanner of a lasting name, or of one of SANE's own names.
    func open(_ id: String) throws -> (FoundScanner, ScannerHandle) {
        stopProbing()
        guard let scanner = try resolve(id) else {
            throw SANEFailure(status: SANE_STATUS_INVAL, activity: .opening)
                .captureError(device: id)
        }
        guard !inUse.contains(scanner.name) else {
            throw SANEFailure(status: SANE_STATUS_DEVICE_BUSY, activity: .opening)
                .captureError(device: scanner.title)
        }
        do throws(SANEFailure) {
            let handle = try ScannerHandle(opening: scanner.name)
            inUse.insert(scanner.name)
            wasUsed = true
            return (scanner, handle)
        } catch {
            let error = error.captureError(device: scanner.title)
            facts.withLock { $0[id] = error.code == .noSuchDevice ? nil : ScannerFacts(error) }
            throw error
        }
    }

    /// The scanner is free again.
    func closed(_ scanner: FoundScanner) { inUse.remove(scanner.name) }

    /// The scanner of an id; one that is not in the list may be of SANE's own names, which SANE then has to know.
    private func resolve(_ id: String) throws -> FoundScanner? {
        let isName = !id.isEmpty && id.utf8.allSatisfy { $0 >= 32 }
        guard isName else { return nil }
        try start(anew: wasUsed && inUse.isEmpty)
        let isLasting = id.firstRange(of: ":usb:") != nil
        // A scanner's address may have changed since it was listed.
        if isLasting, inUse.isEmpty {
            _ = try search(localOnly: true)
        }
        if let scanner = found.first(where: { $0.id == id || $0.name == id }) { return scanner }
        guard !isLasting else { return nil }
        return FoundScanner(
            name: id, vendor: "", model: "", type: "", id: id,
            connection: ScannerIdentity(usb: USBDevices()).connection(of: id))
    }

    // MARK: What opening tells

    /// Notes what an open scanner has.
    nonisolated func note(_ new: ScannerFacts, of id: String) {
        facts.withLock { $0[id] = new }
    }

    /// What is known of a scanner.
    nonisolated func known(_ id: String) -> ScannerFacts? { facts.withLock { $0[id] } }

    /// Opens those scanners that are free, one after the other, to see what they have and whether they can be used.
    ///
    /// - Returns: the task; a call to ``open(_:)`` ends it.
    func probe(_ scanners: [FoundScanner]) -> Task<Void, Never> {
        stopProbing()
        let task = Task { @SANEActor in
            for scanner in scanners where !Task.isCancelled {
                if !inUse.contains(scanner.name) { probe(scanner) }
                // Lets whoever waits for SANE's thread have it between two scanners.
                await Task.yield()
            }
        }
        probing = task
        return task
    }

    private func stopProbing() {
        probing?.cancel()
        probing = nil
    }

    private func probe(_ scanner: FoundScanner) {
        do throws(SANEFailure) {
            let handle = try ScannerHandle(opening: scanner.name)
            defer { handle.close() }
            let options = try handle.options()
            note(ScannerFacts(options, deviceType: scanner.type), of: scanner.id)
        } catch {
            note(ScannerFacts(error.captureError(device: scanner.title)), of: scanner.id)
        }
    }
}
