extension Raster {
    /// The picture with its samples in another format; the picture itself when it has that format
    /// already.
    ///
    /// - Color becomes gray with the weights of ITU-R BT.601: 0.299 red, 0.587 green, 0.114 blue,
    ///   rounded.
    /// - 16 bits become 8 by rounding `v ÷ 257`; 8 become 16 by `v × 257`, so that 8 → 16 → 8 is
    ///   exact.
    /// - Anything becomes bilevel by comparing its gray value with the middle: below 128 is black.
    ///   `binarized(_:)` chooses a threshold to suit the picture.
    /// - Bilevel becomes 0 (black) and full white.
    ///
    /// - Parameter target: the requested format.
    public func converted(to target: PixelFormat) -> Raster {
        switch (format, target) {
        case _ where format == target: self
        case (.bilevel, .gray8): unpacked()
        case (.bilevel, _): unpacked().converted(to: target)
        case (.gray8, .bilevel): thresholded(below: 128)
        case (_, .bilevel): converted(to: .gray8).thresholded(below: 128)
        case (.gray8, .gray16), (.rgb8, .rgb16): widened(to: target)
        case (.gray16, .gray8), (.rgb16, .rgb8): narrowed(to: target)
        case (.rgb8, .gray8): grayFromRGB8()
        case (.rgb16, .gray16): grayFromRGB16()
        case (.gray8, .rgb8): replicated(UInt8.self, to: .rgb8)
        case (.gray16, .rgb16): replicated(UInt16.self, to: .rgb16)
        case (.rgb16, .gray8): converted(to: .gray16).converted(to: .gray8)
        case (.rgb8, .gray16): converted(to: .rgb16).converted(to: .gray16)
        case (.gray16, .rgb8): converted(to: .gray8).converted(to: .rgb8)
        case (.gray8, .rgb16): converted(to: .gray16).converted(to: .rgb16)
        default: self
        }
    }
}
