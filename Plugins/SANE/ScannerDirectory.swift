import CSANE
import CaptureKit

/// The start and end of SANE in this process, and the opening of scanners.
///
/// There is only one, because SANE is global to the process. Another process searches for scanners
/// (``ScannerSearch``): here SANE's loader loads only the drivers of opened scanners.
@SANEActor final class ScannerDirectory {
    static let shared = ScannerDirectory()

    private var isStarted = false
    private let catalog = ScannerCatalog.shared

    /// Opens a scanner.
    ///
    /// SANE only sees newly connected devices after a restart, which also makes drivers forget
    /// their settings. It is restarted unless another scanner is open.
    func open(_ scanner: FoundScanner) throws -> ScannerHandle {
        let isAlone = catalog.isIdle
        guard catalog.reserve(scanner.name) else {
            throw SANEFailure(status: SANE_STATUS_DEVICE_BUSY, activity: .opening)
                .captureError(device: scanner.title)
        }
        do throws(SANEFailure) {
            try start(restarting: isAlone)
            return try ScannerHandle(opening: scanner.name)
        } catch {
            catalog.release(scanner.name)
            let error = error.captureError(device: scanner.title)
            catalog.note(error.code == .noSuchDevice ? nil : ScannerFacts(error), of: scanner.id)
            throw error
        }
    }

    private func start(restarting isRestart: Bool) throws(SANEFailure) {
        if isStarted {
            guard isRestart else { return }
            sane_exit()
            isStarted = false
        }
        let status = startSANE()
        guard status == SANE_STATUS_GOOD else {
            throw SANEFailure(status: status, activity: .opening)
        }
        isStarted = true
    }

    /// Records that the scanner is free again.
    func closed(_ scanner: FoundScanner) { catalog.release(scanner.name) }
}
