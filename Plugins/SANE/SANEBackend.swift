public import CaptureKit

/// Every scanner that a SANE driver knows.
///
/// SANE is one for the whole process, so every value of this type stands for the same scanners. All calls of SANE are made on one
/// thread; a driver that hangs there is ended by the host's deadline, with the process.
///
///     let scanner = try await SANEBackend().open("epson2:usb:04b8:0142:X2NX012345")
///     _ = try await scanner.set("source", to: .text("feeder-duplex"))
///     try await scanner.capture(CaptureRequest(), into: sink)         // pages until the feeder is empty
public struct SANEBackend: CaptureBackend {
    /// How long a list of devices waits for what opening the scanners tells.
    private static let patience = Duration.seconds(3)

    /// The backend of this process's scanners.
    public init() {}

    /// Lists the scanners (`sane_get_devices`), without those of the network when the query is quick.
    ///
    /// A full list also opens scanners that were not opened yet to tell their sources, their largest area and whether they can be
    /// used, for at most three seconds; what is not known by then is left out. USB scanners that this user may not open, which
    /// SANE does not list at all, are listed with their state.
    ///
    /// - Throws: ``CaptureError`` when SANE itself can't start.
    public func devices(_ query: DeviceQuery) async throws -> [DeviceDescriptor] {
        let directory = await ScannerDirectory.shared
        let found: [FoundScanner]
        do {
            found = try await directory.search(localOnly: query.quick)
        } catch {
            throw error.captureError(device: "SANE")
        }
        if !query.quick {
            let unknown = found.filter { directory.known($0.id)?.state != .ready }
            let probing = await directory.probe(unknown)
            await first(of: probing, orAfter: SANEBackend.patience)
        }
        let listed = found.map { $0.descriptor(directory.known($0.id)) }
        return listed + DeniedScanners(usb: USBDevices()).descriptors(beside: found)
    }

    /// Opens a scanner by the id of its descriptor, or by any name that SANE knows, such as `net:scanhost:test:0`.
    ///
    /// Colour at about 300 dpi is chosen where the driver has them, for many drivers begin with black and white at 75.
    ///
    /// - Throws: ``CaptureError``: `noSuchDevice`, `busy`, `permissionDenied`, `passwordNeeded`, `offline`.
    public func open(_ id: String) async throws -> any CaptureDevice {
        let denied = DeniedScanners(usb: USBDevices())
        if let error = denied.error(for: id) { throw error }
        return try await SANEDevice.open(id)
    }

    /// Waits for the task's end, but not for longer than told.
    private func first(of task: Task<Void, Never>, orAfter patience: Duration) async {
        let (stream, events) = AsyncStream<Void>.makeStream()
        Task {
            await task.value
            events.yield()
        }
        let timer = Task {
            try? await Task.sleep(for: patience)
            events.yield()
        }
        for await _ in stream { break }
        timer.cancel()
    }
}
