import CaptureHost
import CaptureKit
import Glibc

/// Listens for the keys that capture by hand: the space bar and Enter, typed or sent by a foot
/// pedal.
final class CaptureKeys {
    private let watch: InputWatch

    /// Listens to standard input; nil if no one can type.
    ///
    /// - Parameters:
    ///   - takesPipe: true to take keys from a pipe or file too, as another program may send them.
    ///   - onKey: gets each such key, on a separate thread.
    /// - Throws: ``HostError`` when standard input can't be watched.
    init?(takesPipe: Bool, onKey: @escaping @Sendable () -> Void) throws {
        guard RawTerminal.enter() || (takesPipe && isatty(0) == 0) else { return nil }
        do throws(CaptureError) {
            watch = try InputWatch("keys", of: 0) { CaptureKeys.take(onKey) }
        } catch {
            RawTerminal.restore()
            throw HostError(error)
        }
    }

    /// Handles the typed keys; false when no more can be typed.
    private static func take(_ onKey: () -> Void) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(0, &bytes, bytes.count)
        if count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN) { return false }
        let capturing: [UInt8] = [UInt8(ascii: " "), UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        if bytes.prefix(max(0, count)).contains(where: capturing.contains) { onKey() }
        return true
    }

    /// Stops listening and restores the terminal.
    func stop() {
        watch.stop()
        RawTerminal.restore()
    }

    deinit { stop() }
}
