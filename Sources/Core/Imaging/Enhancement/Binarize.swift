import CLeptonica

/// The method that separates black and white.
public enum Binarization: Hashable, Sendable {
    /// One threshold for the whole picture: values below it, 0…256, are black.
    case threshold(Int)
    /// One threshold for the whole picture, which separates its histogram best: Otsu, IEEE Trans.
    /// SMC 9 (1979). It suits evenly lit pages.
    case otsu
    /// A threshold for each pixel from the mean and deviation around it: Sauvola and Pietikäinen,
    /// Pattern Recognition 33 (2000), by leptonica's `pixSauvolaBinarizeTiled`. For uneven light
    /// and stains.
    ///
    /// `radius` is half the window in pixels, at least 2: about the height of a line of text. A
    /// larger `factor`, 0…1, makes strokes thinner.
    case sauvola(radius: Int = 25, factor: Double = 0.34)
}

extension Raster {
    /// The picture in black and white.
    ///
    /// A bilevel picture is returned unchanged. A picture too small for Sauvola's window (less than
    /// two radii and 3 pixels wide or high) is split at Otsu's threshold.
    ///
    /// - Parameter method: the way to choose the threshold.
    /// - Throws: `libraryFailed` when memory runs out.
    public func binarized(_ method: Binarization = .otsu) throws(ImagingError) -> Raster {
        guard format != .bilevel else { return self }
        let gray = converted(to: .gray8)
        switch method {
        case .threshold(let value): return gray.thresholded(below: min(max(value, 0), 256))
        case .otsu: return gray.thresholded(below: Self.otsuThreshold(gray.histogram))
        case .sauvola(let radius, let factor):
            let radius = max(2, radius)
            guard min(width, height) >= radius.multipliedReportingOverflow(by: 2).partialValue + 3,
                radius < 10_000
            else { return try gray.binarized(.otsu) }
            return try gray.sauvola(
                radius: radius, factor: factor.clipped(to: 0...1, otherwise: 0.34))
        }
    }

    private func sauvola(radius: Int, factor: Double) throws(ImagingError) -> Raster {
        let source = try PixHandle(self)
        var made: UnsafeMutablePointer<PIX>?
        // Tiles limit the memory for sums; each must be larger than the window.
        let across = Int32(min(max(1, width / 1000), width / (2 * radius + 3)))
        let down = Int32(min(max(1, height / 1000), height / (2 * radius + 3)))
        let failed = pixSauvolaBinarizeTiled(
            source.pointer, Int32(radius), Float(factor), across, down, nil, &made)
        guard failed == 0, let handle = PixHandle(made) else {
            throw ImagingError(
                .libraryFailed,
                "Leptonica could not binarize a picture of \(width) × \(height) pixels.")
        }
        var result = try handle.raster()
        result.resolution = resolution
        return result
    }

    /// The threshold below which a pixel is black, 1…255, that splits a histogram with the greatest
    /// variance between the two classes.
    ///
    /// It is 128 for a picture with one value: a white page stays white, a black one black. Of
    /// several equal thresholds it is the middle one.
    static func otsuThreshold(_ histogram: [Int]) -> Int {
        let total = Double(histogram.reduce(0, +))
        let sum = histogram.indices.reduce(0.0) { $0 + Double($1) * Double(histogram[$1]) }
        var below = 0.0
        var sumBelow = 0.0
        var best = 0.0
        var first = 128
        var last = 128
        for value in 0..<255 {
            below += Double(histogram[value])
            sumBelow += Double(value) * Double(histogram[value])
            let above = total - below
            guard below > 0, above > 0 else { continue }
            let gap = sumBelow / below - (sum - sumBelow) / above
            let variance = below * above * gap * gap
            if variance > best {
                best = variance
                first = value + 1
                last = value + 1
            } else if variance == best {
                last = value + 1
            }
        }
        return (first + last) / 2
    }
}
