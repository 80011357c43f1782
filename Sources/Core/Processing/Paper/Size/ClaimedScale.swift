public import Imaging

/// Decides whether to believe a picture's claimed resolution; the same rules hold for every
/// profile.
///
/// A measured size is always believed. A claim is doubtful if many programs write the same one into
/// every picture, or no scanner works that way.
public struct ClaimedScale: Hashable, Sendable {
    /// The horizontal dots per inch; nil when the claim is worthless.
    public let x: Double?
    /// The vertical dots per inch; nil when the claim is worthless.
    public let y: Double?
    /// The reason why a claim is not believed, for people; nil when it is believed, or there is
    /// none.
    public let doubt: String?

    /// True where pixels are not square.
    public var isOblong: Bool {
        guard let x, let y else { return false }
        return abs(x - y) > 0.01 * max(x, y)
    }

    /// The scale of a picture.
    ///
    /// - Parameters:
    ///   - x: the claimed horizontal dots per inch; nil for no claim.
    ///   - y: the claimed vertical dots per inch; nil for no claim.
    ///   - isStated: true when a file claims it, false when a device or a format guarantees it.
    ///   - isWorthless: true when the claim is not about paper but, for example, about a screen.
    public init(x: Double?, y: Double?, isStated: Bool, isWorthless: Bool = false) {
        guard let x, let y else {
            (self.x, self.y, doubt) = (nil, nil, nil)
            return
        }
        let claim =
            x == y
            ? "\(rounded(x, places: 1)) dpi"
            : "\(rounded(x, places: 1)) × \(rounded(y, places: 1)) dpi"
        let doubt: String? =
            if !isStated {
                nil
            } else if isWorthless {
                "\(claim) is ignored: it is a screen's"
            } else if !Self.scanners.contains(x) || !Self.scanners.contains(y) {
                "\(claim) is ignored: no scanner works that way"
            } else if !Self.faxes.contains(x / y) {
                "\(claim) is ignored: no fax has pixels of that shape"
            } else if Self.isHabit(x), Self.isHabit(y) {
                "\(claim) is ignored: programs write it into every picture"
            } else {
                nil
            }
        self.doubt = doubt
        guard doubt == nil else {
            (self.x, self.y) = (nil, nil)
            return
        }
        // Such a small difference is due to rounding, and not worth resampling.
        let isSquare = (x / y - 1).magnitude <= 0.02
        self.x = isSquare && x != y ? (x * y).squareRoot() : x
        self.y = isSquare && x != y ? (x * y).squareRoot() : y
    }

    private static let scanners = 30.0...10_000.0
    /// Horizontal dots per vertical one: 204 × 391 dpi is the narrowest fax mode, 204 × 98 dpi the
    /// widest.
    private static let faxes = 0.48...2.15

    /// True for 72 and 96, even after rounding to whole dots per meter or centimeter.
    private static func isHabit(_ dpi: Double) -> Bool {
        [72.0, 96, 28 * 2.54, 38 * 2.54].contains { (dpi - $0).magnitude < 0.1 }
    }

    /// The likeliest size on paper of a picture with unknown scale, from its proportions.
    ///
    /// - Returns: dots per inch, 1…10,000, and the assumption for people.
    public static func likeliest(for image: Raster, target: Profile.Target) -> (
        resolution: Double, summary: String
    ) {
        let size = AssumedSize(width: image.width, height: image.height, target: target)
        return (
            size.resolution, "\(size.summary) at \(Int(size.resolution.rounded())) dpi"
        )
    }
}
