/// A line of parts, of which the least important are dropped if it is too narrow for all.
public struct FittedLine: Hashable, Sendable {
    private struct Part: Hashable {
        var text: String
        var need: Int
        var style: Terminal.Style?
    }

    private var parts: [Part] = []

    /// A line without parts.
    public init() {}

    /// A line with one part.
    public init(_ text: String) { add(text, need: 0) }

    /// Adds a part at the end; nothing for nil.
    ///
    /// - Parameter need: the part's importance; of equally important parts the last is dropped
    ///   first.
    public mutating func add(_ text: String?, need: Int, style: Terminal.Style? = nil) {
        guard let text else { return }
        parts.append(Part(text: Sanitized.line(text), need: need, style: style))
    }

    /// The parts that fit into this many columns, two spaces apart; the last one is shortened with
    /// `…` if necessary.
    public func text(for terminal: Terminal, width: Int) -> String {
        var shown = parts
        while shown.count > 1, Self.width(shown) > width,
            let least = shown.indices.reversed().min(by: { shown[$0].need < shown[$1].need })
        {
            shown.remove(at: least)
        }
        return shown.map { part in
            let text = part.text.truncated(toWidth: width)
            return part.style.map { terminal.styled(text, $0) } ?? text
        }.joined(separator: "  ")
    }

    private static func width(_ parts: [Part]) -> Int {
        parts.reduce(2 * (parts.count - 1)) { $0 + $1.text.displayWidth }
    }
}
