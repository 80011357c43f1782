extension Raster {
    /// The picture in even light: paper becomes white everywhere, and shadows and vignettes
    /// disappear.
    ///
    /// The page is divided into tiles. A tile's paper has the brightness of the 75th percentile of
    /// its pixels. Tiles that are not paper differ sharply from their neighbors (a photograph, a
    /// dark table) or are far darker than the page. They get the light of the paper around them, so
    /// pictures on the page keep their tones. The light is smoothed, and each pixel is multiplied
    /// by 255 over the light at its place, interpolated linearly between tiles. Color channels are
    /// treated separately, so tinted paper becomes white too.
    ///
    /// A picture without anything bright (its brightest tiles under 40 of 255) is returned
    /// unchanged, and so is a bilevel one. 16-bit pictures are returned with 8 bits per sample,
    /// because later steps have no use for more.
    ///
    /// - Parameter tile: the side of a tile in pixels, 8…1024; nil for a 64th of the longer side,
    ///   at least 16. It should be larger than the strokes of headings and smaller than the
    ///   shadows.
    public func lightEvened(tile: Int? = nil) -> Raster {
        let source: Raster
        switch format {
        case .bilevel: return self
        case .gray8, .rgb8: source = self
        case .gray16: source = converted(to: .gray8)
        case .rgb16: source = converted(to: .rgb8)
        }
        let side = min(max(tile ?? max(16, max(width, height) / 64), 8), 1024)
        guard let light = LightGrid(of: source, tile: side) else { return source }
        return source.divided(by: light)
    }

    /// Multiplies each sample by its gain.
    ///
    /// A row's gains are mixed from two rows of the grid and then interpolated for each pixel.
    private func divided(by light: LightGrid) -> Raster {
        let channels = format.channels
        let count = width * channels
        let columns = light.columns * channels
        return building { source, result in
            withUnsafeTemporaryAllocation(of: Float.self, capacity: columns) { mixed in
                withUnsafeTemporaryAllocation(of: UInt16.self, capacity: count) { gains in
                    let mixed = mixed.baseAddress!
                    let gains = gains.baseAddress!
                    var y = 0
                    while y < height {
                        // The gain changes by less than a level within four rows.
                        if y % 4 == 0 {
                            light.mixRow(at: min(y &+ 2, height &- 1), into: mixed)
                            light.drawOut(mixed, width: width, into: gains)
                        }
                        let from = source.row(y)
                        let to = result.row(y)
                        var i = 0
                        while i < count {
                            // The gain is in 256ths. With the value times 256, the result is the
                            // high half of a product, which fits 16-bit lanes.
                            let shifted = UInt32(from[i]) << 8
                            let product = (shifted &* UInt32(gains[i]) &+ 32768) >> 16
                            to[i] = UInt8(truncatingIfNeeded: min(product, 255))
                            i &+= 1
                        }
                        y &+= 1
                    }
                }
            }
        }
    }
}
