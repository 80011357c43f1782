import Documents
import Glibc

/// What several readings of one number say together.
struct SerialVote {
    /// The number; nil when none of that form can be made of the readings.
    let serial: FoundSerial?

    /// The weight of a reading, which depends on its kind.
    struct Weights {
        /// How many readings there are of the whole picture, of the number by a reader of text, and
        /// of its characters; they come in this order.
        let plain: Int
        let codes: Int
        let signs: Int

        func of(_ reading: Int) -> Double {
            reading < plain + codes ? ofLength(reading) : 30
        }

        /// Its weight for the number of characters: reading character by character misses those
        /// that touch, and a reader of text seldom does.
        func ofLength(_ reading: Int) -> Double {
            reading < plain ? 1 : reading < plain + codes ? 3 : 8
        }

        /// The total weight of all of them.
        var sum: Double { (0..<plain + codes + signs).reduce(0) { $0 + of($1) } }
    }

    /// An alternative with less than this part of the probability of all alternatives is not worth
    /// offering.
    private static let leastAlternative = 4.0

    /// - Parameters:
    ///   - group: what was read at one place, at least one.
    ///   - weights: the weights of the readings.
    init(
        _ group: [SerialToken], _ weights: Weights, kind: SerialKind, form: SerialKind.Form
    ) {
        func length(_ tokens: [SerialToken]) -> Double {
            tokens.reduce(0) { $0 + (0.2 + $1.confidence) * weights.ofLength($1.reading) }
        }
        // Each reading has one vote: its token that fits best.
        let best = Dictionary(grouping: group) { $0.reading }.values.compactMap { tokens in
            tokens.max { ($0.confidence, -Double($0.words)) < ($1.confidence, -Double($1.words)) }
        }
        let byLength = Dictionary(grouping: best) { $0.letters.count }
        guard
            let votes = byLength.values.max(by: {
                (length($0), $0[0].letters.count) < (length($1), $1[0].letters.count)
            })
        else {
            serial = nil
            return
        }
        let lattice = LetterLattice(
            votes.map { ($0.chances, (0.2 + $0.confidence) * weights.of($0.reading)) })
        let matches = PatternSearch.best(lattice, form.pattern, check: form.check)
        guard let first = matches.first, let box = Box(around: [votes[0].box]) else {
            serial = nil
            return
        }
        let all = matches.reduce(0) { $0 + exp(first.cost - $1.cost) }
        // What the letters say without any rule: far from it, the rule had to change much.
        let free = lattice.places.reduce(0) { $0 + ($1.values.min() ?? 0) }
        let strain = exp(-max(0, first.cost - free - 2) / 4)
        // A reading that has nothing there, or a number of another length, is a vote against.
        let support = votes.reduce(0) { $0 + weights.of($1.reading) } / max(1, weights.sum)
        let confidence = (1 / all) * strain * (0.5 + 0.5 * support) * exp(-form.cost / 4)
        serial = FoundSerial(
            text: Self.written(first.text, kind), kind: kind,
            confidence: min(max(confidence, 0), 1),
            box: box,
            alternatives: matches.dropFirst().prefix {
                $0.cost - first.cost < Self.leastAlternative
            }
            .prefix(8).map { Self.written($0.text, kind) })
    }

    /// A MAC address with its colons; other numbers as they are.
    private static func written(_ text: String, _ kind: SerialKind) -> String {
        guard kind == .mac else { return text }
        let letters = Array(text)
        return stride(from: 0, to: letters.count, by: 2).map {
            String(letters[$0..<min($0 + 2, letters.count)])
        }.joined(separator: ":")
    }
}
