import Glibc

/// What is known of a stream that people read: whether it is a terminal, how wide, and whether it shows colours.
public struct Terminal: Hashable, Sendable {
    /// True when the stream is a terminal, false for a file or pipe.
    public var isTerminal: Bool
    /// Columns; 80 where there is no terminal to ask.
    public var width: Int
    /// True when text may be coloured.
    public var hasColour: Bool

    /// A terminal with these properties; colours only where it is one.
    public init(isTerminal: Bool, width: Int = 80, hasColour: Bool? = nil) {
        self.isTerminal = isTerminal
        self.width = width
        self.hasColour = hasColour ?? isTerminal
    }

    /// Looks at a stream with `isatty` and `ioctl(TIOCGWINSZ)`.
    ///
    /// Colours are off without a terminal, where `NO_COLOR` is set and not empty (no-color.org), and on `TERM=dumb`.
    ///
    /// - Parameters:
    ///   - descriptor: The stream: 1 for standard output, 2 for standard error.
    ///   - environment: Looks up a variable; the process's own unless given.
    public init(
        descriptor: Int32, environment: ((String) -> String?)? = nil
    ) {
        let environment = environment ?? { getenv($0).map { String(cString: $0) } }
        isTerminal = isatty(descriptor) == 1
        var size = winsize()
        let isKnown = isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        width = isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80
        let forbids = environment("NO_COLOR").map { !$0.isEmpty } ?? false
        hasColour = isTerminal && !forbids && environment("TERM") != "dumb"
    }

    /// `text` in a style, or as it is where colours are off.
    public func styled(_ text: String, _ style: Style) -> String {
        hasColour && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// The styles in use: as few as are useful (SGR codes of ECMA-48).
    public enum Style: Int, Sendable {
        /// Headings and names.
        case bold = 1
        /// What may be overlooked.
        case faint = 2
        /// What went wrong.
        case red = 31
        /// What went well.
        case green = 32
        /// What deserves a look.
        case yellow = 33
    }
}
