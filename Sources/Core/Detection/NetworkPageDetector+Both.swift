import Imaging

/// Stills are examined by two networks: the one for cards has learned that the outermost frame is
/// the card, which is wrong for pages on desks.
extension NetworkPageDetector {
    /// One network's answers about the main page.
    struct Answers {
        /// The results of all runs, with the most certain first; empty if no page was seen.
        let all: [Sighting]
        let weights: NetworkWeights
        var quad: Quad? { all.first?.quad }

        /// The confidence, 0…1, that these corners are right.
        ///
        /// It is lower if they overlap less with the most certain result.
        func confidence(of corners: Quad) -> Double {
            guard let best = all.first else { return 0 }
            let overlap = corners.intersectionOverUnion(best.quad)
            return weights.confidence(raw: best.raw * overlap, closely: true)
        }
    }

    /// The minimum confidence at which a card that the picture confirms counts without a profile.
    private static let believed = 0.6

    /// The answers of a network about the main page, examined closely.
    func answers(of network: PageNetwork, in frame: FrameView) -> Answers {
        let all = main(in: frame, network).map { closer($0, in: frame, network) } ?? []
        return Answers(all: all, weights: network.weights)
    }

    /// The page according to both networks and the picture's edges; nil if none is certain enough.
    func chosen(_ pages: Answers, _ cards: Answers, in frame: FrameView) -> DetectedPage? {
        guard shapes.isEmpty else {
            let outer = outermost(of: shapes, about: cards.all + pages.all, in: frame)?.quad
            let answers = cards.all.isEmpty ? pages : cards
            return result(of: answers, outer ?? answers.quad, isRefined: outer != nil, in: frame)
        }
        guard let card = card(about: pages.all + cards.all, in: frame) else {
            return result(of: pages, pages.quad, isRefined: false, in: frame)
        }
        if cards.confidence(of: card) >= Self.believed {
            return result(of: cards, card, isRefined: true, in: frame)
        }
        if let seen = pages.quad, isAround(card, seen) {
            return DetectedPage(quad: card, confidence: pages.confidence(of: seen))
        }
        return result(of: pages, pages.quad, isRefined: false, in: frame)
    }

    private func result(
        of answers: Answers, _ corners: Quad?, isRefined: Bool, in frame: FrameView
    ) -> DetectedPage? {
        // The network decides whether there is a page; corners other than the network's are less
        // certain, but they are no reason to drop the page.
        guard let corners, let seen = answers.quad,
            answers.confidence(of: seen) >= minimumConfidence
        else { return nil }
        let isDone = isRefined || !refinesSides
        return DetectedPage(
            quad: isDone ? corners : SideRefiner(frame: frame).refined(corners),
            confidence: answers.confidence(of: corners))
    }
}
