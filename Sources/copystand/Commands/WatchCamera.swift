import CaptureHost
import CaptureKit

/// Watches a camera or a recording, and captures page after page.
///
/// - Throws: ``HostError`` `unsupported`: cameras are not watched.
func watchCamera(
    _ device: ListedDevice, _ arguments: WatchArguments, _ host: CaptureHost
) async throws -> ExitCode {
    throw HostError(
        HostError.Code(.unsupported), "'\(device.id)' can't be watched",
        advice: "Capture from it with: copystand scan --device \(device.id)")
}
