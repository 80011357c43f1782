// Reads words from fixed lists, so that the error about an unknown word lists the known ones.

extension FrameFormat {
    /// Reads a format; another word is an error that lists all of them.
    public init(from decoder: any Decoder) throws { self = try word(from: decoder) }
}

/// One of a type's words.
///
/// - Throws: `DecodingError.dataCorrupted`, with the received word and the known ones.
package func word<Word: RawRepresentable<String> & CaseIterable>(
    from decoder: any Decoder
) throws -> Word {
    let text = try decoder.singleValueContainer().decode(String.self)
    if let word = Word(rawValue: text) { return word }
    let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
    throw DecodingError.dataCorrupted(
        DecodingError.Context(
            codingPath: decoder.codingPath,
            debugDescription: "'\(text.prefix(60))' is not one of \(known)"))
}
