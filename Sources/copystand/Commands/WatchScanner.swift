import CaptureHost
import CaptureKit

/// Watches a scanner: its button, or paper in its feeder.
///
/// - Throws: ``HostError`` `unsupported`: scanners are not watched.
func watchScanner(
    _ device: ListedDevice, _ arguments: WatchArguments, _ host: CaptureHost
) async throws -> ExitCode {
    throw HostError(
        HostError.Code(.unsupported), "'\(device.id)' is a scanner, which can't be watched",
        advice: "Scan with: copystand scan --device \(device.id)")
}
