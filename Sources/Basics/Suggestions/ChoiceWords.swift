/// Finds a choice by any of the spellings that users know.
public enum ChoiceWords {
    /// The choice that a word means: the word itself, or the only choice that differs from it in
    /// only case or spelling, such as `color` for `Colour` or `COLOR`, and `bilevel` for `lineart`
    /// or `bw`.
    public static func choice(for word: String, among choices: [String]) -> String? {
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
