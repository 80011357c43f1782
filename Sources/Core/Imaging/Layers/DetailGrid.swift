/// The part of the page, without ink, that the background fails to show, for each tile of a
/// sixteenth of an inch.
struct DetailGrid {
    private let columns: Int
    private let rows: Int
    private let tile: Int
    /// For each tile, the part of its pixels without ink that the background does not show.
    private let shares: [Float]

    /// Compares a gray page with its background, enlarged by linear interpolation.
    ///
    /// A pixel is not shown when the mean of it and its two neighbors differs by more than 24
    /// levels: grain differs less, pale pencil more. A match one row higher or lower is accepted:
    /// the edge of a tilted banner is drawn half a pixel off, which no one sees. The page's rim is
    /// not compared, because no one reads a sliver of paper or desk there.
    ///
    /// - Parameter map: 0 for pixels that are compared, row by row.
    init(_ gray: Raster, _ background: Raster, _ map: [UInt8], resolution: Double) {
        let tile = max(4, Int(resolution / 16))
        let columns = (gray.width + tile - 1) / tile
        let rows = (gray.height + tile - 1) / tile
        let width = gray.width
        let rim = max(1, PageLayers.rim(resolution: resolution))
        var seen = [Int32](repeating: 0, count: columns * rows)
        var lost = seen
        let shown = background.converted(to: .gray8).resized(
            to: width, gray.height, filter: .bilinear)
        gray.withRows { page in
            shown.withRows { shown in
                map.withUnsafeBufferPointer { map in
                    for y in rim..<max(rim, gray.height - rim) {
                        let row = page.row(y)
                        let others = (shown.row(y &- 1), shown.row(y), shown.row(y &+ 1))
                        let marks = map.baseAddress! + y * width
                        let first = y / tile * columns
                        var x = rim
                        while x &+ rim < width {
                            if marks[x] == 0 && marks[x &- 1] == 0 && marks[x &+ 1] == 0 {
                                let cell = first &+ x / tile
                                seen[cell] &+= 1
                                if Self.isLost(row, others, at: x) { lost[cell] &+= 1 }
                            }
                            x &+= 1
                        }
                    }
                }
            }
        }
        self.tile = tile
        self.columns = columns
        self.rows = rows
        shares = zip(seen, lost).map { $0 > 0 ? Float($1) / Float($0) : 0 }
    }

    private static let tolerance = 24

    /// True if three rows of the background differ from three pixels of a page's row, and all are
    /// brighter, or all are darker.
    private static func isLost(
        _ row: UnsafePointer<UInt8>,
        _ others: (UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>), at x: Int
    ) -> Bool {
        func sum(_ row: UnsafePointer<UInt8>) -> Int {
            Int(row[x &- 1]) &+ Int(row[x]) &+ Int(row[x &+ 1])
        }
        let here = sum(row)
        let (above, beside, below) = (sum(others.0), sum(others.1), sum(others.2))
        return min(above, beside, below) > here &+ 3 &* tolerance
            || max(above, beside, below) < here &- 3 &* tolerance
    }

    /// True if the tile at a pixel shows more than paper: a sixth of its pixels is missing in the
    /// background.
    func isBusy(x: Int, y: Int) -> Bool { shares[y / tile * columns + x / tile] > 1 / 6 }

    /// True if the background shows everything: it has no three adjacent tiles where a twentieth
    /// is missing.
    ///
    /// A smaller detail is a speck.
    var isSmooth: Bool {
        func lacks(_ index: Int) -> Bool { shares[index] > 0.05 }
        return !shares.indices.contains { index in
            lacks(index)
                && TileGrid.neighbors(of: index, columns: columns, rows: rows)
                    .count(where: lacks) >= 2
        }
    }
}
