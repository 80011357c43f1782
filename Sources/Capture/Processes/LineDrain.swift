import CaptureKit
import Glibc

/// Reads a pipe to its end and splits the bytes into lines.
struct LineDrain {
    /// The maximum size of a line in bytes; the rest of a longer line is dropped.
    static let longestLine = 4096

    private let source: OwnedDescriptor

    init(_ source: OwnedDescriptor) { self.source = source }

    /// Passes every line to `output` until the last writer has closed the pipe; blocks the calling
    /// thread.
    func run(_ output: (String) -> Void) {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = retryingInterrupts { read(source.raw, &buffer, buffer.count) }
            guard count > 0 else { break }
            for byte in buffer.prefix(count) {
                if byte == UInt8(ascii: "\n") {
                    output(String(decoding: line, as: UTF8.self))
                    line.removeAll(keepingCapacity: true)
                } else if line.count < LineDrain.longestLine {
                    line.append(byte)
                }
            }
        }
        if !line.isEmpty { output(String(decoding: line, as: UTF8.self)) }
    }
}
