import Imaging

/// Print on the ground around a sheet, such as a letterhead on gray paper around a white panel.
///
/// One threshold for the whole picture would count a gray ground as ink, together with its letters.
enum GroundInk {
    /// The minimum difference between ink and its ground, in levels of 255.
    private static let leastContrast = 28
    /// Above this difference, a ground has a pattern that looks like ink.
    private static let mostContrast = 90

    /// The places that are darker and the places that are lighter than the ground around them:
    /// bilevel pictures in which 1 is ink.
    ///
    /// There are none if the ground has too strong a pattern.
    ///
    /// - Parameter gray: an 8-bit gray picture of about 150 dots per inch.
    /// - Throws: `libraryFailed` when memory runs out.
    static func sketches(of gray: Raster) throws(ImagingError) -> [Raster] {
        let ground = BlockGround(of: gray)
        guard let contrast = contrast(noise: ground.noise) else { return [] }
        return try [1, -1].map { sign throws(ImagingError) in
            var ink = gray
            let (width, height, stride) = (gray.width, gray.height, gray.stride)
            ink.withMutableBytes { pixels in
                for y in 0..<height {
                    let row = y / BlockGround.side * ground.columns
                    for x in 0..<width {
                        let level = ground.levels[row + x / BlockGround.side] ?? 255
                        let difference = level - Int(pixels[y * stride + x])
                        pixels[y * stride + x] = sign * difference > contrast ? 0 : 255
                    }
                }
            }
            return try ink.binarized(.threshold(128))
        }
    }

    /// The levels by which ink must differ from a ground with that noise; nil if the noise is a
    /// pattern that hides ink.
    static func contrast(noise: Int) -> Int? {
        let contrast = max(leastContrast, 8 * noise)
        return contrast <= mostContrast ? contrast : nil
    }
}
