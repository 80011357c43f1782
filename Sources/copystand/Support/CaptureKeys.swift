import Dispatch
import Glibc

/// Listens for the keys that capture by hand: the space bar and Enter, typed or sent by a foot pedal.
final class CaptureKeys {
    private let source: any DispatchSourceRead

    /// Listens to standard input; nil where nobody can type.
    ///
    /// - Parameters:
    ///   - takesPipe: true to take keys from a pipe or file too, as another program may send them.
    ///   - onKey: is told of each such key, on a queue of its own.
    init?(takesPipe: Bool, onKey: @escaping @Sendable () -> Void) {
        guard RawTerminal.enter() || (takesPipe && isatty(0) == 0) else { return nil }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: 0, queue: DispatchQueue(label: "copystand.keys"))
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(0, &bytes, bytes.count)
            if count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN) {
                return source.cancel()
            }
            let capturing: [UInt8] = [
                UInt8(ascii: " "), UInt8(ascii: "\r"), UInt8(ascii: "\n"),
            ]
            if bytes.prefix(max(0, count)).contains(where: capturing.contains) { onKey() }
        }
        source.activate()
        self.source = source
    }

    /// Stops listening and gives the terminal back.
    func stop() {
        source.cancel()
        RawTerminal.restore()
    }

    deinit { stop() }
}
