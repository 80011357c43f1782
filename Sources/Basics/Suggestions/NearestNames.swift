/// The names among `candidates` that `name` may have meant, nearest first, at most three.
///
/// Case does not count. A candidate is near when few insertions, deletions, replacements and swaps
/// of neighbors turn it into `name` (the restricted Damerau-Levenshtein distance): at most a third
/// of the longer name's length, but one is always allowed. A candidate that begins with `name` is
/// near as well. Only the first 64 characters of long names count.
///
///     nearestNames(to: "documnet", among: ["document", "photo"])  // ["document"]
public func nearestNames(to name: String, among candidates: [String]) -> [String] {
    let wanted = Array(name.lowercased().prefix(64))
    guard !wanted.isEmpty else { return [] }
    var ranked: [(distance: Int, name: String)] = []
    for candidate in Set(candidates) {
        let letters = Array(candidate.lowercased().prefix(64))
        let isPrefix = wanted.count > 1 && letters.starts(with: wanted)
        let distance = isPrefix ? 0 : editDistance(wanted, letters)
        if distance <= max(1, max(wanted.count, letters.count) / 3) && distance < letters.count {
            ranked.append((distance, candidate))
        }
    }
    return ranked.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
}

/// "Did you mean 'a', 'b' or 'c'?", or nil for no names.
public func didYouMean(_ names: [String]) -> String? {
    let quoted = names.map { "'\($0)'" }
    guard let last = quoted.last else { return nil }
    let others = quoted.dropLast().joined(separator: ", ")
    return "Did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
}

/// "Did you mean 'a' or 'b'?" for the names nearest to a mistyped one, or nil when nothing is near.
public func didYouMean(_ name: String, among candidates: [String]) -> String? {
    didYouMean(nearestNames(to: name, among: candidates))
}

private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                best = min(best, beforeLast[j - 1] + 1)
            }
            row.append(best)
        }
        (beforeLast, last) = (last, row)
    }
    return last[b.count]
}
