import Imaging

extension NetworkPageDetector {
    /// A page read from the maps, its corners in pixels of the frame.
    struct Sighting {
        let quad: Quad
        /// The network's raw confidence, 0…1, before it is mapped to the part of such answers that
        /// are right.
        let raw: Double
        /// The page's part of the frame's area, and the distance of its middle from the frame's,
        /// both 0…1.
        let share: Double
        let distance: Double
    }

    /// The large and certain enough pages in the maps.
    func sightings(in maps: PageMaps, _ frame: FrameView, _ weights: NetworkWeights) -> [Sighting] {
        let (width, height) = (Double(frame.width), Double(frame.height))
        return MapReader(maps: maps).readings().compactMap { reading in
            let corners = reading.quad.scaled(x: width, y: height).corners
            // The frame's shape, not the network's square, determines which corner is the top left.
            guard let quad = Quad(ordering: corners) else { return nil }
            let raw = min(1, max(0, maps.presence * reading.overlap))
            let share = quad.area / (width * height)
            guard share >= minimumArea, weights.confidence(raw: raw) >= minimumConfidence
            else { return nil }
            let (x, y) = (reading.center.x - 0.5, reading.center.y - 0.5)
            return Sighting(
                quad: quad, raw: raw, share: share,
                distance: (2 * (x * x + y * y)).squareRoot())
        }
    }

    /// The pages, with the likeliest first.
    func ranked(_ sightings: [Sighting]) -> [Sighting] {
        sightings.sorted { rank($0) > rank($1) }
    }

    /// The rank of a page as the main one, by its place; a higher rank is likelier.
    func rank(_ sighting: Sighting) -> Double {
        switch preference {
        case .prominent: sighting.share * (1 - 0.6 * sighting.distance)
        case .largest: sighting.share
        case .central: 1 - sighting.distance
        }
    }
}

extension NetworkWeights {
    /// The confidence of a detection: presence × overlap of mask and quad, mapped to the measured
    /// part of such detections that are right.
    ///
    /// - Parameter closely: true for the mean of two runs, on the whole picture and on the page's
    ///   surroundings, which is more often right.
    func confidence(raw: Double, closely: Bool = false) -> Double {
        let pairs = closely ? closeCalibration : calibration
        guard let first = pairs.first, let last = pairs.last else { return raw }
        guard raw > first.raw else { return first.share }
        for (low, high) in zip(pairs, pairs.dropFirst()) where raw <= high.raw {
            return low.share + (high.share - low.share) * (raw - low.raw) / (high.raw - low.raw)
        }
        return last.share
    }
}
