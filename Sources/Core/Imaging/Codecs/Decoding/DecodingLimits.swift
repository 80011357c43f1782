/// The maximum size of a picture that a decoder may make; a larger one is refused before memory is
/// allocated for it.
public struct DecodingLimits: Hashable, Sendable {
    /// The maximum number of pixels; 600 million unless given, an A0 sheet at 600 dpi.
    public var maximumPixels: Int
    /// The maximum number of pixels in a side; 65,535 unless given.
    public var maximumSide: Int

    /// Limits for a decoder.
    public init(maximumPixels: Int = 600_000_000, maximumSide: Int = 65_535) {
        self.maximumPixels = maximumPixels
        self.maximumSide = maximumSide
    }

    /// Refuses a size that is impossible or beyond the limits.
    func check(width: Int, height: Int) throws(ImagingError) {
        guard width > 0, height > 0 else {
            throw ImagingError(.damagedData, "The picture claims \(width) × \(height) pixels.")
        }
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, pixels <= maximumPixels, width <= maximumSide, height <= maximumSide else {
            throw ImagingError(
                .tooLarge,
                "The picture has \(width) × \(height) pixels; at most \(maximumPixels) in all and \(maximumSide) a side "
                    + "are read. Reduce it, or raise the limit.")
        }
    }
}
