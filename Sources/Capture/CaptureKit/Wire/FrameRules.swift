extension FrameDescription {
    /// The maximum number of pixels in a row or column.
    package static let longestSide = 65_535
    /// The maximum number of frames that a backend may announce for a capture.
    static let mostExpected = 1_000_000
    /// The farthest a device's clock may be from its zero, in seconds.
    private static let longestTime = 1e12

    /// The reason why no frame can have this description; nil for a possible one.
    package var impossibility: String? {
        let sides = 1...FrameDescription.longestSide
        guard sides.contains(width) else { return "width \(width) is not within 1…65,535" }
        guard sides.contains(height ?? 1) else {
            return "height \(height ?? 0) is not within 1…65,535"
        }
        if let fault = sizeFault { return fault }
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
        guard problems?.count ?? 0 <= 100,
            problems?.allSatisfy({ (1...4096).contains($0.utf8.count) }) ?? true
        else { return "its problems are more than 100, or one is not within 1…4,096 bytes" }
        if let fault = source?.impossibility ?? metadata?.impossibility { return fault }
        guard abs(time ?? 0) <= FrameDescription.longestTime else {
            return "time \(time ?? 0) s is not within ±1e12"
        }
        return nil
    }

    /// The error in the frame's size in bytes, if its sides are valid; nil for none.
    private var sizeFault: String? {
        if format == .jpeg { return capacityFault }
        guard capacity == nil else { return "a frame of \(format) has a capacity" }
        if format == .nv12 && height == nil { return "a frame of nv12 has no height" }
        let least = format.minimumStride(width: width)
        let what = "the \(least) bytes that \(width) pixels of \(format) take"
        guard stride >= least else { return "stride \(stride) is below \(what)" }
        guard stride <= least * 4 + 4096 else { return "stride \(stride) is far above \(what)" }
        // A row of colors begins with Cb, so the stride must hold whole pairs.
        if format == .nv12 && stride % 2 != 0 { return "stride \(stride) of nv12 is odd" }
        return nil
    }

    private var capacityFault: String? {
        guard let height else { return "a frame of jpeg has no height" }
        guard stride == 0 else { return "stride \(stride) of a frame of jpeg is not 0" }
        guard let capacity else { return "a frame of jpeg has no capacity" }
        // For a compressed frame, drivers reserve about as much as for a raw one. Far more than
        // that is a mistake.
        let most = width * height * 4 + (1 << 20)
        guard (1...most).contains(capacity) else {
            return
                "capacity \(capacity) is not within 1…\(most), what \(width) × \(height) may take"
        }
        return nil
    }
}
