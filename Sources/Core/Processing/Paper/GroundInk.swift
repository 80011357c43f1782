import Imaging

/// Print on the ground about a sheet, such as a letterhead on gray paper around a white panel.
///
/// One threshold for the whole picture takes a gray ground for ink, and its letters with it.
enum GroundInk {
    /// Pixels of a block's side; the ground of a block is the median of its levels.
    private static let block = 32
    /// Ink differs from its ground by so many levels of 255 at least.
    private static let leastContrast = 28
    /// A ground on which ink cannot be told from the pattern.
    private static let mostContrast = 90

    /// What is darker, and what is lighter than the ground about it: bilevel, 1 is ink.
    ///
    /// None where the ground has too much of a pattern.
    ///
    /// - Parameter gray: an 8-bit gray picture of about 150 dots per inch.
    /// - Throws: `libraryFailed` when memory runs out.
    static func sketches(of gray: Raster) throws(ImagingError) -> [Raster] {
        let columns = (gray.width + block - 1) / block
        let rows = (gray.height + block - 1) / block
        var ground = [Int](repeating: 0, count: columns * rows)
        var deviations: [Int] = []
        let (width, height, stride) = (gray.width, gray.height, gray.stride)
        gray.withBytes { pixels in
            for index in ground.indices {
                let (left, top) = (index % columns * block, index / columns * block)
                var levels = [Int](repeating: 0, count: 256)
                var count = 0
                for y in top..<min(top + block, height) {
                    for x in left..<min(left + block, width) {
                        levels[Int(pixels[y * stride + x])] += 1
                        count += 1
                    }
                }
                let middle = median(levels, count)
                ground[index] = middle
                var apart = [Int](repeating: 0, count: 256)
                for level in levels.indices { apart[abs(level - middle)] += levels[level] }
                deviations.append(median(apart, count))
            }
        }
        deviations.sort()
        let noise = deviations.isEmpty ? 0 : deviations[deviations.count / 2]
        let contrast = max(leastContrast, 8 * noise)
        guard contrast <= mostContrast else { return [] }
        return try [1, -1].map { sign throws(ImagingError) in
            var ink = gray
            ink.withMutableBytes { pixels in
                for y in 0..<height {
                    for x in 0..<width {
                        let level = ground[y / block * columns + x / block]
                        let difference = level - Int(pixels[y * stride + x])
                        pixels[y * stride + x] = sign * difference > contrast ? 0 : 255
                    }
                }
            }
            return try ink.binarized(.threshold(128))
        }
    }

    private static func median(_ levels: [Int], _ count: Int) -> Int {
        var below = 0
        for (level, number) in levels.enumerated() {
            below += number
            if 2 * below >= count { return level }
        }
        return 255
    }
}
