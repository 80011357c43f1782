/// Finds the names that were perhaps meant by a misspelt one.
public enum NearestNames {
    /// The names nearest to `word`, nearest first; none when nothing is near.
    ///
    /// Near means a third of the longer name's letters at most are wrong (Damerau's distance: an insertion, deletion,
    /// substitution or swap of neighbours counts one), or the name begins with the word. Case doesn't count.
    ///
    /// - Parameters:
    ///   - word: What was typed; only its first 64 characters are looked at.
    ///   - names: The names there are.
    ///   - limit: How many at most.
    public static func to(_ word: String, among names: [String], limit: Int = 3) -> [String] {
        let typed = Array(word.lowercased().prefix(64))
        guard !typed.isEmpty else { return [] }
        var seen = Set<String>()
        let near = names.filter { seen.insert($0).inserted }.compactMap { name -> (Int, String)? in
            let candidate = Array(name.lowercased().prefix(64))
            let wrong = distance(typed, candidate)
            if typed.count > 1, candidate.starts(with: typed) { return (0, name) }
            return wrong <= max(1, max(typed.count, candidate.count) / 3) && wrong < candidate.count
                ? (wrong, name) : nil
        }
        return near.sorted { $0 < $1 }.prefix(limit).map(\.1)
    }

    /// The optimal string alignment distance (Damerau's, with each part edited once at most).
    static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(last[j + 1], row[j]) + 1
                best = min(best, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
