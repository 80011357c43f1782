/// Functions for values of tiles that are stored row after row.
enum TileGrid {
    /// The tiles that share a side with tile `index`.
    static func neighbors(of index: Int, columns: Int, rows: Int) -> [Int] {
        var result: [Int] = []
        if index % columns > 0 { result.append(index - 1) }
        if index % columns < columns - 1 { result.append(index + 1) }
        if index >= columns { result.append(index - columns) }
        if index + columns < columns * rows { result.append(index + columns) }
        return result
    }

    /// Fills unknown tiles with the mean of their known neighbors, ring after ring; at least one
    /// tile must be known.
    static func fillHoles(_ values: inout [Float], known: [Bool], columns: Int, rows: Int) {
        var known = known
        var ring = known.indices.filter { !known[$0] }
        while !ring.isEmpty {
            var filled: [(index: Int, value: Float)] = []
            for index in ring {
                let near = neighbors(of: index, columns: columns, rows: rows).filter { known[$0] }
                guard !near.isEmpty else { continue }
                filled.append(
                    (index, near.reduce(Float(0)) { $0 + values[$1] } / Float(near.count)))
            }
            if filled.isEmpty { return }
            for (index, value) in filled {
                values[index] = value
                known[index] = true
            }
            ring.removeAll { known[$0] }
        }
    }

    /// Replaces each value by the mean of the existing tiles among the 3×3 around it.
    static func smooth(_ values: inout [Float], columns: Int, rows: Int) {
        let old = values
        for y in 0..<rows {
            for x in 0..<columns {
                var sum: Float = 0
                var count: Float = 0
                for v in max(0, y - 1)...min(rows - 1, y + 1) {
                    for u in max(0, x - 1)...min(columns - 1, x + 1) {
                        sum += old[v * columns + u]
                        count += 1
                    }
                }
                values[y * columns + x] = sum / count
            }
        }
    }
}
