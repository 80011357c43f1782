import Glibc

/// The properties of an output stream: whether it is a terminal, its width, and whether it shows
/// colors.
public struct Terminal: Hashable, Sendable {
    /// True when the stream is a terminal, false for a file or pipe.
    public var isTerminal: Bool
    /// Columns; 80 where there is no terminal to ask.
    public var width: Int
    /// True when text may be colored.
    public var hasColor: Bool
    /// The examined stream; nil if the properties were given.
    private var descriptor: Int32?

    /// A terminal with these properties; colors only if it is one.
    public init(isTerminal: Bool, width: Int = 80, hasColor: Bool? = nil) {
        self.isTerminal = isTerminal
        self.width = width
        self.hasColor = hasColor ?? isTerminal
    }

    /// Examines a stream with `isatty` and `ioctl(TIOCGWINSZ)`.
    ///
    /// Colors are off without a terminal, where `NO_COLOR` is set and not empty (no-color.org),
    /// and on `TERM=dumb`.
    ///
    /// - Parameters:
    ///   - descriptor: The stream: 1 for standard output, 2 for standard error.
    ///   - environment: Looks up a variable; the process's own unless given.
    public init(
        descriptor: Int32, environment: ((String) -> String?)? = nil
    ) {
        let environment = environment ?? { getenv($0).map { String(cString: $0) } }
        isTerminal = isatty(descriptor) == 1
        self.descriptor = isTerminal ? descriptor : nil
        width = isTerminal ? Self.columns(of: descriptor) ?? 80 : 80
        let forbids = environment("NO_COLOR").map { !$0.isEmpty } ?? false
        hasColor = isTerminal && !forbids && environment("TERM") != "dumb"
    }

    /// The present number of columns: the window may have become narrower.
    public var currentWidth: Int { descriptor.flatMap(Self.columns) ?? width }

    private static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : nil
    }

    /// `text` in a style; unchanged if colors are off.
    public func styled(_ text: String, _ style: Style) -> String {
        hasColor && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// The styles in use: as few as are useful (SGR codes of ECMA-48).
    public enum Style: Int, Sendable {
        /// Headings and names.
        case bold = 1
        /// Less important text.
        case faint = 2
        /// For failures.
        case red = 31
        /// For successes.
        case green = 32
        /// For warnings.
        case yellow = 33
    }
}
