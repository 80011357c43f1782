extension Double {
    /// The number, or the nearest in a range; `otherwise` for NaN.
    ///
    /// Settings come from people's files, which may hold anything that parses.
    func clipped(to range: ClosedRange<Double>, otherwise: Double) -> Double {
        isNaN ? otherwise : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

extension Raster {
    /// The resolution as files hold it, whole dots per inch in 1…65,535; nil when it is unknown or
    /// no such number.
    var wholeResolution: Int? { Self.whole(resolution) }

    /// The same of any resolution.
    static func whole(_ resolution: Double?) -> Int? {
        guard let resolution, resolution.isFinite, resolution >= 0.5 else { return nil }
        return Int(Swift.min(resolution, 65_535).rounded())
    }
}
