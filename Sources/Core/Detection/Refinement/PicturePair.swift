import Imaging

/// Two gray pictures of one place and size, from a camera that does not move.
struct PicturePair {
    /// The earlier picture.
    let before: Raster
    /// The later picture.
    let now: Raster
    /// The brightness of the later picture as a multiple of the earlier picture's.
    let gain: Double

    /// The width of the rim at each side, as a part of the picture.
    ///
    /// A page is seldom there, so the rim shows noise and exposure.
    private static let rim = 0.1
    /// The number of pixels from one examined pixel to the next, in both directions: some hundreds
    /// of pixels show the exposure.
    private static let step = 16

    /// A pair; nil for pictures of different sizes or that are not gray.
    init?(before: Raster, now: Raster) {
        guard (before.width, before.height) == (now.width, now.height), before.format == .gray8,
            now.format == .gray8
        else { return nil }
        (self.before, self.now) = (before, now)
        gain = Self.gain(from: before, to: now)
    }

    /// The factor by which the picture became brighter, by the median of the rim's pixels: cameras
    /// adjust their exposure to the view.
    private static func gain(from before: Raster, to now: Raster) -> Double {
        var ratios: [Double] = []
        before.withBytes { old in
            now.withBytes { new in
                for y in stride(from: 0, to: now.height, by: step) {
                    for x in stride(from: 0, to: now.width, by: step)
                    where isRim(x, now.width) || isRim(y, now.height) {
                        let (a, b) = (old[y * before.stride + x], new[y * now.stride + x])
                        if a >= 16, b < 250 { ratios.append(Double(b) / Double(a)) }
                    }
                }
            }
        }
        guard !ratios.isEmpty else { return 1 }
        ratios.sort()
        return ratios[ratios.count / 2]
    }

    /// True if a position belongs to the rim, along a direction of this length.
    static func isRim(_ place: Int, _ length: Int) -> Bool {
        let depth = Int(rim * Double(length))
        return place < depth || place >= length - depth
    }

    /// Visits the rows of both pictures, with the start of a row's pixels in each and their number.
    @inline(__always)
    func withRows(
        _ body: ((Int) -> UnsafePointer<UInt8>, (Int) -> UnsafePointer<UInt8>, Int) -> Void
    ) {
        before.withBytes { old in
            now.withBytes { new in
                guard let old = old.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    let new = new.baseAddress?.assumingMemoryBound(to: UInt8.self)
                else { return }
                body({ old + $0 &* before.stride }, { new + $0 &* now.stride }, now.width)
            }
        }
    }
}
