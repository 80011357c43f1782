import Suggestions

/// The error for an unknown name, with the nearest known one.
func unknownName(_ name: String, what: String, _ known: [String]) -> String {
    let list = known.joined(separator: ", ")
    let hint = didYouMean(name, among: known).map { $0 + " " } ?? ""
    return "There is no \(what) called '\(name)'. \(hint)Known: \(list)."
}
