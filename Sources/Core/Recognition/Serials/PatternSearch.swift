/// Finds the most likely numbers in a lattice that a pattern accepts.
struct PatternSearch {
    /// A number and its cost: minus the natural logarithm of its probability.
    struct Match: Hashable {
        var text: String
        var cost: Double
    }

    /// The maximum number of paths to each step of the pattern that are kept; more if a check digit
    /// chooses one of them.
    private static let (width, checkedWidth) = (8, 100)
    /// Paths that cost this much more than the cheapest are dropped: fewer than one in a thousand
    /// is right.
    private static let furthest = 7.0

    /// The most likely numbers, beginning with the best, at most `count` different ones; empty when
    /// the pattern accepts nothing of that length.
    static func best(
        _ lattice: LetterLattice, _ pattern: SerialPattern, count: Int = 24,
        check: CheckDigit = .none
    ) -> [Match] {
        guard !lattice.places.isEmpty, lattice.places.count <= LetterLattice.longest else {
            return []
        }
        let width = check == .none ? Self.width : checkedWidth
        var ways: [Int: [Match]] = [:]
        for step in reached(from: [0], pattern.steps) {
            ways[step] = [Match(text: "", cost: 0)]
        }
        for place in lattice.places {
            var next: [Int: [Match]] = [:]
            for (step, matches) in ways {
                guard case .match(let letters) = pattern.steps[step] else { continue }
                let taken = place.filter { letters.contains($0.key) }
                guard !taken.isEmpty else { continue }
                let longer = matches.flatMap { match in
                    taken.map {
                        Match(text: match.text + String($0.key), cost: match.cost + $0.value)
                    }
                }
                for target in reached(from: [step + 1], pattern.steps) {
                    next[target, default: []] += longer
                }
            }
            let least = next.values.joined().map(\.cost).min() ?? 0
            ways = next.mapValues { matches in
                cheapest(matches.filter { $0.cost <= least + furthest }, width)
            }
        }
        let ends = ways.filter { pattern.steps[$0.key] == .accept }.flatMap(\.value)
        return cheapest(ends.filter { check.accepts($0.text) }, count)
    }

    /// The different matches with the lowest costs.
    private static func cheapest(_ matches: [Match], _ count: Int) -> [Match] {
        var known: Set<String> = []
        var result: [Match] = []
        for match in matches.sorted(by: { ($0.cost, $0.text) < ($1.cost, $1.text) }) {
            guard known.insert(match.text).inserted else { continue }
            result.append(match)
            if result.count == count { break }
        }
        return result
    }

    /// The steps that are reached without another letter.
    private static func reached(from starts: [Int], _ steps: [SerialPattern.Step]) -> Set<Int> {
        var result: Set<Int> = []
        var seen: Set<Int> = []
        var open = starts
        while let step = open.popLast() {
            guard seen.insert(step).inserted, steps.indices.contains(step) else { continue }
            switch steps[step] {
            case .match, .accept: result.insert(step)
            case .jump(let distance): open.append(step + distance)
            case .split(let one, let other): open += [step + one, step + other]
            }
        }
        return result
    }
}
