/// A service's or program's own text, at the end of a message.
///
/// Such a text may contain facts that are only for the host's network, so users who may not manage
/// sinks don't see it.
package enum ForeignWords {
    private static let mark = ". It said: "

    /// The end of a message with a service's text; empty for no text.
    static func quoted(_ words: some StringProtocol) -> String { words.isEmpty ? "" : mark + words }

    /// A message without such a text, and without the part after it.
    package static func removed(from message: String) -> String {
        guard let start = message.firstRange(of: mark)?.lowerBound else { return message }
        return message[..<start] + "."
    }
}
