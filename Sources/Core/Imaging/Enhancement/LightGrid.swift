/// The light on the paper of a page, tile by tile, as the gain that makes the paper white.
struct LightGrid {
    /// Tiles across.
    let columns: Int
    /// Tiles down.
    let rows: Int
    /// A tile's side in pixels.
    let tile: Int
    private let channels: Int
    /// Gains in 1/256, `channels` for each tile, row after row.
    private let gains: [Float]

    /// Returns nil if no tile is bright enough to be paper.
    init?(of raster: Raster, tile: Int) {
        self.tile = tile
        let columns = (raster.width + tile - 1) / tile
        let rows = (raster.height + tile - 1) / tile
        self.columns = columns
        self.rows = rows
        channels = raster.format.channels
        var levels = Self.levels(of: raster, tile: tile, columns: columns, rows: rows)
        // In color, a tile's darkest channel counts, since ink and table show most there.
        let channels = channels
        let brightness = (0..<columns * rows).map { i in
            (0..<channels).reduce(Float(255)) { min($0, levels[i * channels + $1]) }
        }
        guard let paper = Self.paperTiles(brightness, columns: columns, rows: rows) else {
            return nil
        }
        for channel in 0..<channels {
            var plane = (0..<columns * rows).map { levels[$0 * channels + channel] }
            TileGrid.fillHoles(&plane, known: paper, columns: columns, rows: rows)
            TileGrid.smooth(&plane, columns: columns, rows: rows)
            for i in plane.indices { levels[i * channels + channel] = plane[i] }
        }
        gains = levels.map { min(65535, 255 * 256 / max($0, 1)) }
    }

    /// The 75th percentile of each tile and channel, from at most every second pixel in both
    /// directions.
    private static func levels(
        of raster: Raster, tile: Int, columns: Int, rows: Int
    ) -> [Float] {
        let channels = raster.format.channels
        let step = max(1, tile / 24)
        var levels: [Float] = []
        levels.reserveCapacity(columns * rows * channels)
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 256) { counts in
            let counts = counts.baseAddress!
            raster.withRows { source in
                for i in 0..<columns * rows * channels {
                    let channel = i % channels
                    let left = i / channels % columns * tile
                    let top = i / channels / columns * tile
                    let right = min(left + tile, raster.width)
                    let bottom = min(top + tile, raster.height)
                    counts.initialize(repeating: 0, count: 256)
                    var total: Int32 = 0
                    var y = top
                    while y < bottom {
                        let row = source.row(y) + channel
                        var x = left
                        while x < right {
                            counts[Int(row[x &* channels])] &+= 1
                            total &+= 1
                            x &+= step
                        }
                        y &+= step
                    }
                    var above = total / 4
                    var level = 255
                    while level > 0, counts[level] <= above {
                        above -= counts[level]
                        level -= 1
                    }
                    levels.append(Float(level))
                }
            }
        }
        return levels
    }

    /// The tiles of paper: reached from the brightest ones without a step of more than a fifth, and
    /// at least a third as bright.
    private static func paperTiles(_ brightness: [Float], columns: Int, rows: Int) -> [Bool]? {
        let ranked = brightness.sorted()
        let bright = ranked[ranked.count * 9 / 10]
        guard bright >= 40 else { return nil }
        var paper = brightness.map { $0 >= bright * 0.92 }
        var waiting = paper.indices.filter { paper[$0] }
        while let here = waiting.popLast() {
            for next in TileGrid.neighbors(of: here, columns: columns, rows: rows)
            where !paper[next] && brightness[next] >= 0.8 * brightness[here]
                && brightness[next] >= bright / 3
            {
                paper[next] = true
                waiting.append(next)
            }
        }
        return paper
    }

    /// The gains of the tiles' centers along pixel row `y`.
    func mixRow(at y: Int, into mixed: UnsafeMutablePointer<Float>) {
        let place = min(max((Float(y) + 0.5) / Float(tile) - 0.5, 0), Float(rows - 1))
        let upper = min(Int(place), max(0, rows - 2))
        let lower = min(upper + 1, rows - 1)
        let part = place - Float(upper)
        let count = columns * channels
        for i in 0..<count {
            mixed[i] = gains[upper * count + i] * (1 - part) + gains[lower * count + i] * part
        }
    }

    /// Interpolates the gains of a row of tiles linearly, from the tiles' centers to every sample.
    func drawOut(
        _ mixed: UnsafePointer<Float>, width: Int, into gains: UnsafeMutablePointer<UInt16>
    ) {
        // Piece k goes from the center of tile k − 1 to that of tile k; the first and last pieces
        // are constant.
        var x = 0
        for piece in 0...columns {
            let end = piece == columns ? width : min(width, piece * tile + tile / 2)
            let left = max(piece - 1, 0) * channels
            let right = min(piece, columns - 1) * channels
            let start = x
            var channel = 0
            while channel < channels {
                let from = mixed[left + channel]
                let slope = (mixed[right + channel] - from) / Float(tile)
                // The center of the piece's left tile, in pixels.
                let origin = Float((piece - 1) * tile + tile / 2)
                x = start
                while x < end {
                    let value = from + slope * (Float(x) - origin)
                    gains[x &* channels &+ channel] = UInt16(min(max(value + 0.5, 0), 65535))
                    x &+= 1
                }
                channel &+= 1
            }
            x = max(start, end)
        }
    }
}
