public import Imaging

extension NetworkPageDetector {
    /// All pages in a picture, the most likely first.
    ///
    /// After each page, the network runs again on the picture with that page painted over, until it
    /// finds no more. With ``looksClosely``, it also examines overlapping parts of the picture, in
    /// which small cards are large enough. The size that most of the cards have then serves as
    /// evidence.
    ///
    /// - Parameters:
    ///   - image: a photograph or scan, in any form, of any size.
    ///   - limit: the maximum number of pages to look for; 20 unless given.
    /// - Throws: `weights` when the program's weights can't be used.
    public func detectAll(in image: Raster, limit: Int = 20) throws -> [DetectedPage] {
        try image.withFrameView { try detectAll(in: $0, limit: limit) }
    }

    /// All pages in a camera's frame, read in place, the most likely first.
    ///
    /// - Parameters:
    ///   - frame: the frame.
    ///   - limit: the maximum number of pages to look for; 20 unless given.
    /// - Throws: `weights` when the program's weights can't be used.
    public func detectAll(
        in frame: FrameView, limit: Int = 20
    ) throws(DetectionError) -> [DetectedPage] {
        let (shown, corner) = withoutRim(frame)
        let pool = shapes.isEmpty ? NetworkPool.pages : NetworkPool.cards
        return try pool.withNetwork { network in
            guard limit > 0 else { return [] }
            let seen = all(in: shown, limit: limit, network)
            var found = (looksClosely ? spread(shown, seen: seen, network) : nil) ?? []
            if found.isEmpty {
                found = seen.compactMap { one in page(one, in: shown, network).map { (one, $0) } }
                if looksClosely {
                    found += parted(shown, beside: found.map(\.1), network)
                    found = nested(found) { isSheet($0, $1, in: shown) }
                }
            }
            return found.sorted { rank($0.0) > rank($1.0) }.prefix(limit)
                .map { $0.1.shifted(by: corner) }
        }
    }

    /// The pages in a frame: first those in the picture itself, then those in the picture with the
    /// earlier ones painted over.
    func all(in frame: FrameView, limit: Int, _ network: PageNetwork) -> [Sighting] {
        var found: [Sighting] = []
        var maps = network.look(at: frame, twice: looksClosely)
        while found.count < limit {
            let new = sightings(in: maps, frame, network.weights).filter { sighting in
                found.allSatisfy { $0.quad.intersectionOverUnion(sighting.quad) < 0.3 }
            }
            guard !new.isEmpty else { break }
            found += new
            network.withPicture(isColor: frame.isColor) { picture in
                for sighting in new {
                    picture.paintOver(
                        sighting.quad.scaled(
                            x: Double(picture.side) / Double(frame.width),
                            y: Double(picture.side) / Double(frame.height)))
                }
            }
            maps = network.lookAgain(isColor: frame.isColor, twice: looksClosely)
        }
        return found
    }
}

extension Activation {
    /// The pixels beyond a page's sides that are painted over too, for its edge and shadow.
    private static let margin = 3.0

    /// Fills a quad, row by row, with the pixels to its left and right.
    fileprivate func paintOver(_ quad: Quad) {
        let corners = quad.corners
        for y in 0..<side {
            guard let (from, to) = span(of: corners, at: Double(y) + 0.5) else { continue }
            let first = max(0, Int(max(0, from - Self.margin)))
            let last = min(side - 1, Int(min(Double(side), to + Self.margin)))
            guard first <= last else { continue }
            let row = origin + y * row
            for c in 0..<channels {
                let left = first > 0 ? row[(first - 1) * channels + c] : nil
                let right = last + 1 < side ? row[(last + 1) * channels + c] : nil
                // A page as wide as the picture has no surroundings, so these become middle gray.
                let (a, b) = (left ?? right ?? 0, right ?? left ?? 0)
                for x in first...last {
                    let part = Float(x - first + 1) / Float(last - first + 2)
                    row[x * channels + c] = a + (b - a) * part
                }
            }
        }
    }

    /// The place where a row crosses a convex quad that is widened by the margin; nil if there is
    /// none.
    private func span(of corners: [Point], at y: Double) -> (Double, Double)? {
        var found: (Double, Double)?
        for i in 0..<4 {
            let (a, b) = (corners[i], corners[(i + 1) % 4])
            let (low, high) = a.y <= b.y ? (a, b) : (b, a)
            guard y >= low.y - Self.margin, y <= high.y + Self.margin else { continue }
            let inside = min(max(y, low.y), high.y)
            let part = high.y > low.y ? (inside - low.y) / (high.y - low.y) : 0
            let x = low.x + (high.x - low.x) * part
            // A row crosses a level side from end to end.
            let ends = high.y - low.y < 1 ? [low.x, high.x, x] : [x]
            for x in ends {
                found = found.map { (min($0.0, x), max($0.1, x)) } ?? (x, x)
            }
        }
        return found
    }
}
