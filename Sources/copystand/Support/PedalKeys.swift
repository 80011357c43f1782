import CaptureHost
import CaptureKit
import Dispatch

/// Listens for any key of an input device, such as a foot pedal that types a letter.
final class PedalKeys {
    private let source: any DispatchSourceRead

    /// Listens to the device at `path`, and keeps its presses from other programs.
    ///
    /// - Parameters:
    ///   - onKey: is told of each press, on a queue of its own.
    ///   - onEnd: is told when the device is gone.
    /// - Throws: ``HostError`` when it can't be read.
    init(
        path: String, onKey: @escaping @Sendable () -> Void, onEnd: @escaping @Sendable () -> Void
    ) throws {
        let keys: KeyPresses
        do throws(CaptureError) {
            keys = try KeyPresses(path: path)
        } catch {
            throw HostError(
                HostError.Code(rawValue: error.code.rawValue), error.message, advice: error.advice)
        }
        keys.grab()
        let source = DispatchSource.makeReadSource(
            fileDescriptor: keys.descriptor, queue: DispatchQueue(label: "copystand.pedal"))
        source.setEventHandler {
            guard let count = keys.take() else {
                source.cancel()
                return onEnd()
            }
            if count > 0 { onKey() }
        }
        source.activate()
        self.source = source
    }

    /// Stops listening.
    func stop() { source.cancel() }

    deinit { stop() }
}
