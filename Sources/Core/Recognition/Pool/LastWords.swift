import Glibc

/// The end of what a helper wrote to its standard error; the rest is read and forgotten, so that it
/// never blocks.
struct LastWords {
    private static let kept = 400
    private var tail: [UInt8] = []
    /// False once the other end is closed.
    private(set) var isOpen = true

    /// Reads what is there, without waiting; `descriptor` must not block.
    mutating func take(from descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        // Bounded, so that a helper that never stops talking cannot hold the exchange.
        for _ in 0..<64 {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else {
                if count == 0 { isOpen = false }
                return
            }
            tail = Array((tail + buffer[..<count]).suffix(Self.kept))
        }
    }

    /// The last line, without control characters.
    var text: String {
        let lines = String(decoding: tail, as: UTF8.self).split(whereSeparator: \.isNewline)
        return String(
            (lines.last ?? "").unicodeScalars.filter { $0.value >= 32 && $0.value != 127 })
    }
}

extension String {
    fileprivate init(_ scalars: [Unicode.Scalar]) {
        self.init(String.UnicodeScalarView(scalars))
    }
}
