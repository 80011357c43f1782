import Documents
import Glibc

/// The combined result of several readings of one number.
struct SerialVote {
    /// The number; nil when the readings contain none of that form.
    let serial: FoundSerial?

    /// The weight of a reading, which depends on its kind.
    struct Weights {
        /// The number of readings of the whole picture, of the number by a text reader, and of its
        /// characters; the readings come in this order.
        let plain: Int
        let codes: Int
        let signs: Int

        func of(_ reading: Int) -> Double {
            reading < plain + codes ? ofLength(reading) : 30
        }

        /// A reading's weight for the number of characters: reading character by character misses
        /// characters that touch, and a text reader seldom does.
        func ofLength(_ reading: Int) -> Double {
            reading < plain ? 1 : reading < plain + codes ? 3 : 8
        }

        /// The total weight of all readings.
        var sum: Double { (0..<plain + codes + signs).reduce(0) { $0 + of($1) } }
    }

    /// An alternative that costs this much more than the best number is left out.
    private static let leastAlternative = 4.0

    /// - Parameters:
    ///   - group: the tokens at one place; at least one.
    ///   - weights: the weights of the readings.
    init(
        _ group: [SerialToken], _ weights: Weights, kind: SerialKind, form: SerialKind.Form
    ) {
        func length(_ tokens: [SerialToken]) -> Double {
            tokens.reduce(0) { $0 + (0.2 + $1.confidence) * weights.ofLength($1.reading) }
        }
        // Each reading has one vote, for its token that fits best.
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
        // The cost of the letters without any rule: if it is much lower, the rule changed many
        // letters.
        let free = lattice.places.reduce(0) { $0 + ($1.values.min() ?? 0) }
        let strain = exp(-max(0, first.cost - free - 2) / 4)
        // A reading with nothing at this place, or with a number of another length, is a vote
        // against.
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

    /// A MAC address with its colons, and any other number unchanged.
    private static func written(_ text: String, _ kind: SerialKind) -> String {
        guard kind == .mac else { return text }
        let letters = Array(text)
        return stride(from: 0, to: letters.count, by: 2).map {
            String(letters[$0..<min($0 + 2, letters.count)])
        }.joined(separator: ":")
    }
}
