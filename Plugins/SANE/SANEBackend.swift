import CSANE
public import CaptureKit

/// Every scanner that a SANE driver knows.
///
/// SANE is global to the process, so every value of this type stands for the same scanners. Another
/// process looks for scanners and starts one more for each driver, so that a driver that crashes or
/// hangs loses only its own scanners. All calls of SANE in this process are made on one thread; a
/// driver that hangs there is ended by the host's deadline, with the process.
///
///     let scanner = try await SANEBackend().open("epson2:usb:04b8:0142:X2NX012345")
///     _ = try await scanner.set("source", to: .text("feeder-duplex"))
///     try await scanner.capture(CaptureRequest(), into: sink)  // pages until the feeder is empty
public struct SANEBackend: CaptureBackend {
    private let search: ScannerSearch
    private let catalog = ScannerCatalog.shared

    /// The backend of this process's scanners.
    ///
    /// - Parameter program: the backend program, which is started to look for scanners; the running
    ///   program itself unless given.
    public init(program: String = "/proc/self/exe") {
        self.init(search: ScannerSearch(program: program))
    }

    /// The backend that looks for scanners in that way.
    init(search: ScannerSearch) { self.search = search }

    /// Looks for scanners and ends the process, if this program was started for a search; must be
    /// the first call of its main.
    public static func searchIfAsked(_ arguments: [String]) { SearchProgram.runIfAsked(arguments) }

    /// Lists the scanners like ``findings(_:)``, without problems.
    public func devices(_ query: DeviceQuery) async throws -> [DeviceDescriptor] {
        try await findings(query).devices
    }

    /// Lists the scanners (`sane_get_devices`), without those of the network when the query is
    /// quick, and the drivers that failed.
    ///
    /// A full list also opens scanners that were not opened yet, to learn their sources, their
    /// largest area and whether they can be used. Facts that are not known in time are left out.
    /// USB scanners that this user may not open, which SANE does not list at all, are listed with
    /// their state. While the search continues, scanners are announced as ``changes()``.
    ///
    /// - Throws: ``CaptureError`` when the search can't be made.
    public func findings(_ query: DeviceQuery) async throws -> DeviceFindings {
        let findings = try await catalog.search(query.quick ? .quick : .full, search)
        return DeviceFindings(devices: findings.descriptors, problems: findings.problems)
    }

    /// Opens a scanner by the id of its descriptor, or by any name that SANE knows, such as
    /// `net:scanhost:test:0`.
    ///
    /// Color at about 300 dpi is chosen if the driver has them, because many drivers start with
    /// black and white at 75.
    ///
    /// - Throws: ``CaptureError``: `noSuchDevice`, `busy`, `permissionDenied`, `passwordNeeded`,
    ///   `offline`.
    public func open(_ id: String) async throws -> any CaptureDevice {
        let denied = DeniedScanners(usb: search.usb)
        if let error = denied.error(for: id) { throw error }
        guard let scanner = try await resolve(id) else {
            throw SANEFailure(status: SANE_STATUS_INVAL, activity: .opening).captureError(
                device: id)
        }
        do {
            return try await SANEDevice.open(scanner)
        } catch let error as CaptureError where error.code == .noSuchDevice {
            // The printer may have a different number now.
            guard AirscanName(id: id) != nil,
                let found = try await catalog.locate(id, search, isLocal: false),
                found.name != scanner.name
            else { throw error }
            return try await SANEDevice.open(found)
        }
    }

    /// The changes of scanners: those found by searches and, after the first search, those plugged
    /// in or out.
    public func changes() async -> AsyncStream<DeviceChange>? {
        let changes = catalog.changes()
        catalog.watch(search)
        return changes
    }

    /// The scanner with an id; an unlisted id may be one of SANE's own names.
    private func resolve(_ id: String) async throws -> FoundScanner? {
        guard !id.isEmpty, id.utf8.allSatisfy({ $0 >= 32 }) else { return nil }
        if id.firstRange(of: ":usb:") != nil, catalog.isIdle {
            // A scanner's address may have changed since it was listed; only its driver is asked.
            return try await catalog.locate(id, search, isLocal: true)
        }
        if let scanner = catalog.scanner(id) { return scanner }
        let airscan = AirscanName(id: id)
        return FoundScanner(
            name: airscan?.likelyName ?? id, vendor: "", model: airscan?.title ?? "", type: "",
            id: id,
            connection: ScannerIdentity(usb: search.usb).connection(of: id))
    }
}
