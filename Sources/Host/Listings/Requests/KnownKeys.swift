import Suggestions

/// Any key of a JSON object.
private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// Refuses an object with an unknown key, because a mistyped key would have no effect.
///
/// - Throws: `DecodingError` with the key and the nearest known ones.
package func checkKeys<Key: CodingKey & CaseIterable>(
    of decoder: any Decoder, _ known: Key.Type, hint: String? = nil
) throws {
    try checkKeys(of: decoder, Key.allCases.map(\.stringValue), hint: hint)
}

/// Refuses an object with a key that is not among `known`, as ``checkKeys(of:_:hint:)`` does.
package func checkKeys(
    of decoder: any Decoder, _ known: [String], hint: String? = nil
) throws {
    let names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
    guard let strange = names.first(where: { !known.contains($0) }) else { return }
    let help =
        didYouMean(strange, among: known) ?? "The known ones are: \(known.joined(separator: ", "))."
    throw DecodingError.dataCorrupted(
        .init(
            codingPath: decoder.codingPath,
            debugDescription: ["there is no '\(strange)'. \(help)", hint].compactMap { $0 }
                .joined(separator: " ")))
}
