/// What a service or a program said, in its own words, at the end of a message.
///
/// Such words may hold what only the host's network should know, so users who may not manage sinks
/// don't see them.
package enum ForeignWords {
    private static let mark = ". It said: "

    /// The end of a message, with what a service said; empty if it said nothing.
    static func told(_ words: some StringProtocol) -> String { words.isEmpty ? "" : mark + words }

    /// A message without such words, and without what follows them.
    package static func removed(from message: String) -> String {
        guard let start = message.firstRange(of: mark)?.lowerBound else { return message }
        return message[..<start] + "."
    }
}
