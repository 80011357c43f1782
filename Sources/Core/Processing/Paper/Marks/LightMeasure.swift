import Imaging

/// The brightness of the paper at different places, relative to white.
struct LightMeasure {
    /// The paper's brightness where it is brightest, 0…1.
    let brightest: Double
    /// The paper's brightness where it is darkest, 0…1.
    let darkest: Double

    /// The difference between the brightest and the darkest paper, 0…1.
    var unevenness: Double { brightest > 0 ? 1 - darkest / brightest : 0 }

    /// Measures a picture in 8-bit gray on 16 × 16 tiles.
    ///
    /// A tile's paper is its 75th percentile. The brightest and darkest twentieth of the tiles are
    /// ignored: they may contain a picture or a hole.
    init(_ gray: Raster) {
        let across = min(16, gray.width)
        let down = min(16, gray.height)
        var tiles: [Int] = []
        gray.withBytes { bytes in
            for row in 0..<down {
                for column in 0..<across {
                    var counts = [Int](repeating: 0, count: 256)
                    var total = 0
                    let xs = gray.width * column / across..<gray.width * (column + 1) / across
                    // Every other row is enough for a percentile.
                    let rows = stride(
                        from: gray.height * row / down, to: gray.height * (row + 1) / down, by: 2)
                    for y in rows {
                        for x in xs { counts[Int(bytes[y * gray.stride + x])] += 1 }
                        total += xs.count
                    }
                    var left = total / 4
                    var level = 255
                    while level > 0, left >= counts[level] {
                        left -= counts[level]
                        level -= 1
                    }
                    tiles.append(level)
                }
            }
        }
        tiles.sort()
        let skipped = tiles.count / 20
        brightest = Double(tiles[tiles.count - 1 - skipped]) / 255
        darkest = Double(tiles[skipped]) / 255
    }
}
