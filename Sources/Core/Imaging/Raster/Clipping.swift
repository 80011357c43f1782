extension Double {
    /// The number, or the nearest one in a range; `otherwise` for NaN.
    ///
    /// Settings come from people's files, which may contain any number.
    func clipped(to range: ClosedRange<Double>, otherwise: Double) -> Double {
        isNaN ? otherwise : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

extension Raster {
    /// The resolution in whole dots per inch, 1…65,535, as files store it; nil when it is unknown
    /// or outside of this range.
    var wholeResolution: Int? { Self.whole(resolution) }

    /// The same for any resolution.
    static func whole(_ resolution: Double?) -> Int? {
        guard let resolution, resolution.isFinite, resolution >= 0.5 else { return nil }
        return Int(Swift.min(resolution, 65_535).rounded())
    }
}
