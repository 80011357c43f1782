import Imaging

/// The corners that most detections of a still page agree on.
struct QuadPoll: Sendable {
    private struct Party: Sendable {
        /// The mean of its looks.
        var quad: Quad
        var votes: Double
        var looks = 0
        /// The largest weight of a look at this place.
        var weight = 0.0

        /// Adds another look to the mean.
        mutating func take(_ look: Quad, leastWeight: Double) {
            looks += 1
            quad = quad.mixed(with: look, weight: max(leastWeight, 1 / Double(looks)))
        }
    }

    /// Detections whose corners are no farther apart than this part of the diagonal are for the
    /// same place.
    private static let agreement = 0.016
    /// What remains of a vote after each further one: about a dozen count.
    private static let memory = 0.85
    /// How many times as many votes another place needs to take over.
    private static let majority = 3.0
    /// The same for one whose looks weigh more than the elected one's, since more of its sides are
    /// new.
    private static let plainMajority = 1.0
    /// The same against the place of a single look, which may have seen the hand leave: two looks
    /// that agree have it.
    private static let majorityOverOne = 2.0
    /// The least weight of one look in the mean of its place.
    private static let leastWeight = 0.1

    private var parties: [Party] = []
    private var elected = 0
    /// True once a detection was certain: from then on, only certain ones count.
    private var isCertain = false

    /// How many times as many votes as the elected place another one needs.
    private func majority(of other: Party) -> Double {
        if other.weight > parties[elected].weight { return Self.plainMajority }
        return parties[elected].looks == 1 ? Self.majorityOverOne : Self.majority
    }

    /// Takes a detection's vote; the place that is elected.
    ///
    /// - Parameter place: where the page was before the first vote. It has none itself, because
    ///   there was no close look while it moved.
    mutating func elected(
        after quad: Quad, _ confidence: Double, _ trust: QuadTracker.Trust, from place: Quad
    ) -> Quad {
        var weight = 1.0
        switch trust {
        case .certain:
            if !isCertain {
                (parties, elected, isCertain) = ([Party(quad: quad, votes: 0)], 0, true)
            }
        case .vote(let share):
            if isCertain { return parties[elected].quad }
            weight = share
        }
        if parties.isEmpty { parties = [Party(quad: place, votes: 0)] }
        for index in parties.indices { parties[index].votes *= Self.memory }
        let drifts = parties.map { quad.drift(from: $0.quad) }
        let nearest = drifts.indices.min { drifts[$0] < drifts[$1] } ?? 0
        if drifts[nearest] < Self.agreement {
            parties[nearest].take(quad, leastWeight: Self.leastWeight)
            parties[nearest].votes += weight * confidence
            parties[nearest].weight = max(parties[nearest].weight, weight)
        } else {
            parties.append(
                Party(quad: quad, votes: weight * confidence, looks: 1, weight: weight))
        }
        let strongest = parties.indices.max { parties[$0].votes < parties[$1].votes } ?? 0
        if parties[strongest].votes > majority(of: parties[strongest]) * parties[elected].votes {
            elected = strongest
        }
        let winner = parties[elected]
        // Places without recent votes are forgotten, so that there are never more than a few.
        parties.removeAll { $0.votes < 0.15 && $0.quad != winner.quad }
        elected = parties.firstIndex { $0.quad == winner.quad } ?? 0
        return winner.quad
    }
}
