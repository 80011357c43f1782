import Imaging

/// The corners that most detections of a still page agree on.
struct QuadPoll: Sendable {
    private struct Group: Sendable {
        /// The mean of the looks at one place.
        var quad: Quad
        var votes: Double
        var looks = 0
        /// The maximum weight of one of these looks.
        var weight = 0.0

        /// Adds another look to the mean.
        mutating func take(_ look: Quad, leastWeight: Double) {
            looks += 1
            quad = quad.mixed(with: look, weight: max(leastWeight, 1 / Double(looks)))
        }
    }

    /// Detections whose corners differ by no more than this part of the diagonal are at the same
    /// place.
    private static let agreement = 0.016
    /// The part of a vote that remains after each further one: about a dozen votes count.
    private static let memory = 0.85
    /// The factor by which another place needs more votes to win.
    private static let majority = 3.0
    /// The same factor for a place whose looks weigh more than the elected one's, since more of its
    /// sides are new.
    private static let plainMajority = 1.0
    /// The same factor against a place with a single look, which may have been taken while a hand
    /// left: two looks that agree win.
    private static let majorityOverOne = 2.0
    /// The minimum weight of a look in the mean of its place.
    private static let leastWeight = 0.1

    private var groups: [Group] = []
    private var elected = 0
    /// True once a detection was certain; after that, only certain detections count.
    private var isCertain = false

    /// The factor by which another place needs more votes than the elected one.
    private func majority(of other: Group) -> Double {
        if other.weight > groups[elected].weight { return Self.plainMajority }
        return groups[elected].looks == 1 ? Self.majorityOverOne : Self.majority
    }

    /// Counts a detection's vote, and returns the elected place.
    ///
    /// - Parameter place: the page's corners before the first vote. It has no vote itself, because
    ///   the page was not examined closely while it moved.
    mutating func elected(
        after quad: Quad, _ confidence: Double, _ trust: QuadTracker.Trust, from place: Quad
    ) -> Quad {
        var weight = 1.0
        switch trust {
        case .certain:
            if !isCertain {
                (groups, elected, isCertain) = ([Group(quad: quad, votes: 0)], 0, true)
            }
        case .vote(let share):
            if isCertain { return groups[elected].quad }
            weight = share
        }
        if groups.isEmpty { groups = [Group(quad: place, votes: 0)] }
        for index in groups.indices { groups[index].votes *= Self.memory }
        let drifts = groups.map { quad.drift(from: $0.quad) }
        let nearest = drifts.indices.min { drifts[$0] < drifts[$1] } ?? 0
        if drifts[nearest] < Self.agreement {
            groups[nearest].take(quad, leastWeight: Self.leastWeight)
            groups[nearest].votes += weight * confidence
            groups[nearest].weight = max(groups[nearest].weight, weight)
        } else {
            groups.append(
                Group(quad: quad, votes: weight * confidence, looks: 1, weight: weight))
        }
        let strongest = groups.indices.max { groups[$0].votes < groups[$1].votes } ?? 0
        if groups[strongest].votes > majority(of: groups[strongest]) * groups[elected].votes {
            elected = strongest
        }
        let winner = groups[elected]
        // Places without recent votes are forgotten, so only a few remain.
        groups.removeAll { $0.votes < 0.15 && $0.quad != winner.quad }
        elected = groups.firstIndex { $0.quad == winner.quad } ?? 0
        return winner.quad
    }
}
