/// The names nearest to a mistyped one, nearest first, at most three.
///
/// A name is near when it needs few insertions, deletions, replacements or swaps of neighbours (the optimal string alignment
/// distance, at most a third of the longer name's letters and at least 1), or begins with what was typed.
func nearestNames(to typed: String, among names: [String]) -> [String] {
    let lowered = typed.lowercased()
    guard !lowered.isEmpty, lowered.count <= 64 else { return [] }
    let scored = names.compactMap { name -> (name: String, distance: Int)? in
        let candidate = name.lowercased()
        let distance = alignmentDistance(Array(lowered), Array(candidate))
        let limit = max(1, max(lowered.count, candidate.count) / 3)
        if distance <= limit { return (name, distance) }
        let isPrefix = lowered.count >= 2 && candidate.hasPrefix(lowered)
        return isPrefix ? (name, limit) : nil
    }
    return scored.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
}

/// "Did you mean 'a' or 'b'?", or nothing when nothing is near.
func didYouMean(_ names: [String]) -> String? {
    guard !names.isEmpty else { return nil }
    return "Did you mean " + names.map { "'\($0)'" }.joined(separator: " or ") + "?"
}

/// Edits that turn `a` into `b`, a swap of neighbours counting once.
private func alignmentDistance(_ a: [Character], _ b: [Character]) -> Int {
    var beforePrevious = [Int]()
    var previous = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var best = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                best = min(best, beforePrevious[j - 1] + 1)
            }
            row.append(best)
        }
        beforePrevious = previous
        previous = row
    }
    return previous[b.count]
}
