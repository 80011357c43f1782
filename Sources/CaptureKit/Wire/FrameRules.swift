extension FrameDescription {
    /// The most pixels a row or column may have.
    package static let longestSide = 65_535
    /// The most frames that a capture may be said to give.
    package static let mostExpected = 1_000_000

    /// Why no frame can look like this, or nil when one can.
    package var impossibility: String? {
        let sides = 1...FrameDescription.longestSide
        guard sides.contains(width) else { return "width \(width) is not within 1…65,535" }
        guard sides.contains(height ?? 1) else {
            return "height \(height ?? 0) is not within 1…65,535"
        }
        let least = format.minimumStride(width: width)
        guard stride >= least else {
            return
                "stride \(stride) is below the \(least) bytes that \(width) pixels of \(format) take"
        }
        guard stride <= least * 4 + 4096 else {
            return
                "stride \(stride) is far above the \(least) bytes that \(width) pixels of \(format) take"
        }
        if let resolution {
            let range = 1e-3...1e6
            guard range.contains(resolution.x) && range.contains(resolution.y) else {
                return
                    "resolution \(resolution.x) × \(resolution.y) dpi is not within 0.001…1,000,000"
            }
        }
        guard label?.utf8.count ?? 0 <= 4096 else { return "the label is longer than 4,096 bytes" }
        guard (1...FrameDescription.mostExpected).contains(expected ?? 1) else {
            return "expected number of frames \(expected ?? 0) is not within 1…1,000,000"
        }
        return nil
    }

    /// The fewest bytes that hold `rows` rows: the last one needs no padding.
    package func leastBytes(rows: Int) -> Int {
        rows == 0 ? 0 : stride * (rows - 1) + format.minimumStride(width: width)
    }

    /// The whole rows that `bytes` bytes hold.
    package func wholeRows(in bytes: Int) -> Int {
        bytes / stride + (bytes % stride >= format.minimumStride(width: width) ? 1 : 0)
    }
}
