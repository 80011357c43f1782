/// Chooses the numbers of a document's entries among all candidates: a chain of lines whose numbers
/// increase by one.
struct MarkerChain {
    /// A line that may begin an entry.
    struct Candidate {
        /// The index of the line among all of the document's lines.
        let line: Int
        let marker: EntryMarker
        /// The distance from the column's left edge, as a multiple of the type's size.
        let indent: Double
    }

    /// The lines of the chain, from first to last.
    private(set) var members: [Candidate]
    /// The score of a chain: one for each clear number that follows the previous one, and less for
    /// doubtful ones.
    let score: Double

    /// The number of lines before this one in which the previous number is looked for.
    private static let reach = 200
    /// The maximum count of missing numbers between two found ones.
    private static let largestGap = 4

    /// The best chain of at least two numbers for each way of numbering, in the order of their
    /// first lines.
    static func all(_ candidates: [Candidate]) -> [MarkerChain] {
        Dictionary(grouping: candidates) { $0.marker.style }.values
            .compactMap { best($0.sorted { $0.line < $1.line }) }
            .filter { $0.members.count >= 2 && $0.score >= 2 }
            .sorted { ($0.members[0].line, $1.score) < ($1.members[0].line, $0.score) }
    }

    /// The chain that numbers the entries themselves, and not items within them; nil for none.
    static func outermost(_ candidates: [Candidate]) -> MarkerChain? {
        let chains = all(candidates)
        guard let most = chains.map(\.score).max() else { return nil }
        // `I.` may be a number or a letter: the reading that fits more of the other lines wins.
        let rivals = chains.filter { $0.score >= 0.35 * most }
        guard let first = rivals.first else { return nil }
        let sharing = rivals.filter { $0.shares(with: first) }
        return sharing.max { $0.score < $1.score }
    }

    private func shares(with other: MarkerChain) -> Bool {
        let lines = Set(members.map(\.line))
        return other.members.count { lines.contains($0.line) } * 2
            >= min(members.count, other.members.count)
    }

    /// The best chain among the candidates with one way of numbering.
    private static func best(_ candidates: [Candidate]) -> MarkerChain? {
        guard !candidates.isEmpty else { return nil }
        var scores: [Double] = []
        var previous: [Int?] = []
        for (index, candidate) in candidates.enumerated() {
            let weight = candidate.marker.isClear ? 1 : 0.3
            var best = weight - (candidate.marker.value == 1 ? 0 : 0.5)
            var from: Int?
            for earlier in max(0, index - reach)..<index {
                let before = candidates[earlier]
                guard before.line < candidate.line, let link = link(before, candidate) else {
                    continue
                }
                if scores[earlier] + weight + link > best {
                    best = scores[earlier] + weight + link
                    from = earlier
                }
            }
            scores.append(best)
            previous.append(from)
        }
        guard let last = scores.indices.max(by: { scores[$0] < scores[$1] }) else { return nil }
        var members: [Candidate] = []
        var index: Int? = last
        while let current = index {
            members.append(candidates[current])
            index = previous[current]
        }
        return MarkerChain(members: members.reversed(), score: scores[last])
    }

    /// The score for one number after another; nil when it can't follow.
    private static func link(_ before: Candidate, _ after: Candidate) -> Double? {
        let step = after.marker.value - before.marker.value
        let shift = (after.indent - before.indent).magnitude > 0.9 ? 0.7 : 0
        if step == 1 { return 0.6 - shift }
        if step > 1, step <= largestGap + 1, after.marker.isClear {
            return -0.4 * Double(step - 1) - shift
        }
        // A new chapter begins at one again.
        if after.marker.value == 1, after.marker.isClear, before.marker.value >= 2 {
            return -0.6 - shift
        }
        return nil
    }
}
