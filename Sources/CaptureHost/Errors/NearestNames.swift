/// The names among `candidates` that `name` may have been meant to be, nearest first, at most three.
///
/// Case does not count. A name is near when the fewest insertions, deletions, replacements and swaps of neighbours
/// (restricted Damerau-Levenshtein distance) that turn one into the other are at most a third of its length, or when it begins with `name`.
func nearestNames(to name: String, among candidates: [String]) -> [String] {
    let wanted = Array(name.lowercased().prefix(200))
    guard !wanted.isEmpty else { return [] }
    var ranked: [(distance: Int, name: String)] = []
    for candidate in candidates {
        let letters = Array(candidate.lowercased().prefix(200))
        let distance = letters.starts(with: wanted) ? 0 : editDistance(wanted, letters)
        if distance <= max(1, max(wanted.count, letters.count) / 3) {
            ranked.append((distance, candidate))
        }
    }
    return ranked.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
}

/// "Did you mean 'a' or 'b'?", or nil when nothing is near.
func didYouMean(_ name: String, among candidates: [String]) -> String? {
    let near = nearestNames(to: name, among: candidates).map { "'\($0)'" }
    guard let last = near.last else { return nil }
    let others = near.dropLast().joined(separator: ", ")
    return "Did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
}

private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 0..<a.count {
        var row = [i + 1]
        for j in 0..<b.count {
            var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                best = min(best, beforeLast[j - 1] + 1)
            }
            row.append(best)
        }
        beforeLast = last
        last = row
    }
    return last[b.count]
}
