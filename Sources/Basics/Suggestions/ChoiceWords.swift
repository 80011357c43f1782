/// The spellings of words that users choose.
public enum ChoiceWords {
    /// The choice that a word means: itself, or the only one that is the same in another case or
    /// spelling, such as `Colour` or `COLOR` for `color`, and `lineart` or `bw` for `bilevel`.
    public static func meant(by word: String, among choices: [String]) -> String? {
        if choices.contains(word) { return word }
        let wanted = key(word)
        let same = choices.filter { key($0) == wanted }
        return same.count == 1 ? same[0] : nil
    }

    private static func key(_ word: String) -> String {
        word.lowercased().split(separator: "-", omittingEmptySubsequences: false)
            .map { other[String($0)] ?? String($0) }.joined(separator: "-")
    }

    private static let other = [
        "colour": "color", "grey": "gray", "binarise": "binarize", "lineart": "bilevel",
        "bw": "bilevel",
    ]
}
