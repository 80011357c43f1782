import CaptureHost
import CaptureKit

/// Listens for any key of an input device, such as a foot pedal that types a letter.
final class PedalKeys {
    private let watch: InputWatch

    /// Listens to the device at `path`, and keeps its presses from other programs.
    ///
    /// - Parameters:
    ///   - onKey: called for each press, on a separate thread.
    ///   - onEnd: called when the device is gone.
    /// - Throws: ``HostError`` when it can't be read.
    init(
        path: String, onKey: @escaping @Sendable () -> Void, onEnd: @escaping @Sendable () -> Void
    ) throws {
        do throws(CaptureError) {
            let keys = try KeyPresses(path: path)
            keys.grab()
            watch = try InputWatch("pedal", of: keys.descriptor) {
                guard let count = keys.take() else {
                    onEnd()
                    return false
                }
                if count > 0 { onKey() }
                return true
            }
        } catch {
            throw HostError(error)
        }
    }

    /// Stops listening.
    func stop() { watch.stop() }

    deinit { stop() }
}
