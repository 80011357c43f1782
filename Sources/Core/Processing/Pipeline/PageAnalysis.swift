import Imaging

/// Reduced views of a picture that several steps use, each made once, on first use.
///
/// An analysis belongs to one picture and is used on one thread.
final class PageAnalysis {
    private let image: Raster

    init(_ image: Raster) { self.image = image }

    /// The picture in 8-bit gray at about 150 dots per inch, or unscaled if its resolution is no
    /// higher.
    lazy var gray: Raster = {
        let long = Double(max(image.width, image.height))
        let resolution = image.plausibleResolution ?? long / 11.69
        let scale = min(1, 150 / resolution, 4000 / long)
        var gray = image.converted(to: .gray8)
        if scale < 0.95 {
            gray = gray.resized(
                to: max(1, Int((Double(image.width) * scale).rounded())),
                max(1, Int((Double(image.height) * scale).rounded())), filter: .area)
        }
        gray.resolution = max(50, resolution * min(1, scale))
        return gray
    }()

    /// The lettering in black and white, with the light evened so that a shadow does not become
    /// black.
    lazy var sketch: Result<PageSketch, ImagingError> = {
        do throws(ImagingError) {
            return .success(try PageSketch(of: gray.lightEvened()))
        } catch {
            return .failure(error)
        }
    }()

    /// The tilt of the lines of text; nil when no lines stand out.
    lazy var skew: Result<SkewEstimate?, ImagingError> = sketch.map { $0.skew() }

    /// The histogram of ``gray``.
    lazy var histogram: [Int] = {
        var counts = [Int](repeating: 0, count: 256)
        let (width, height, stride) = (gray.width, gray.height, gray.stride)
        gray.withBytes { bytes in
            for y in 0..<height {
                for x in 0..<width { counts[Int(bytes[y * stride + x])] += 1 }
            }
        }
        return counts
    }()

    /// The level below which `share`, 0…1, of the picture's pixels lie, 0…255.
    func level(_ share: Double) -> Int {
        let wanted = Int(Double(gray.width * gray.height) * share)
        var sum = 0
        for (level, count) in histogram.enumerated() {
            sum += count
            if sum > wanted { return level }
        }
        return 255
    }
}

extension Raster {
    /// The resolution for steps that depend on it; nil outside 30 to 10,000 dots per inch, where no
    /// scanner works.
    ///
    /// ``ClaimedScale`` has already decided whether to believe a file's claim.
    var plausibleResolution: Double? {
        resolution.flatMap { (30...10_000).contains($0) ? $0 : nil }
    }
}
