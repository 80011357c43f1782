import CommandLine
import Glibc

/// Text on a terminal's standard output that is replaced by newer text as a whole.
struct LiveText {
    private let console: Console
    private var rows = 0

    /// Text that has not been drawn yet.
    init(_ console: Console) { self.console = console }

    /// Replaces the drawn text.
    ///
    /// A text that is too tall for the screen is left out, because lines that have scrolled away
    /// can't be replaced.
    mutating func draw(_ text: String) throws {
        let height = text.split(separator: "\n").reduce(0) { sum, line in
            sum + max(1, (line.displayWidth + console.output.width - 1) / console.output.width)
        }
        guard height < LiveText.screenHeight else { return }
        try console.result(erasure + text)
        rows = height
    }

    /// Removes the drawn text.
    mutating func clear() throws {
        if rows > 0 { try console.result(erasure) }
        rows = 0
    }

    /// Up to the first line, erasing everything from there (ECMA-48: CUU, ED).
    private var erasure: String { rows > 0 ? "\u{1B}[\(rows)A\r\u{1B}[J" : "" }

    private static var screenHeight: Int {
        var size = winsize()
        return ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 0 ? Int(size.ws_row) : 24
    }
}
