extension Raster {
    /// The number of pixels with each gray value, 256 counts from black to white; color counts by
    /// its gray value.
    public var histogram: [Int] {
        guard format == .gray8 else { return converted(to: .gray8).histogram }
        // Four tables are used in turn, so that runs of one value do not wait for each other's
        // store.
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: 1024) { tables in
            let tables = tables.baseAddress!
            tables.initialize(repeating: 0, count: 1024)
            withRows { rows in
                var y = 0
                while y < height {
                    let row = rows.row(y)
                    var x = 0
                    while x &+ 4 <= width {
                        tables[Int(row[x])] &+= 1
                        tables[256 &+ Int(row[x &+ 1])] &+= 1
                        tables[512 &+ Int(row[x &+ 2])] &+= 1
                        tables[768 &+ Int(row[x &+ 3])] &+= 1
                        x &+= 4
                    }
                    while x < width {
                        tables[Int(row[x])] &+= 1
                        x &+= 1
                    }
                    y &+= 1
                }
            }
            return (0..<256).map {
                tables[$0] + tables[256 + $0] + tables[512 + $0] + tables[768 + $0]
            }
        }
    }

    /// The sharpness of the picture: the variance of its Laplacian (kernel 0 1 0, 1 −4 1, 0 1 0)
    /// over the gray values; 0 for one color.
    ///
    /// It serves only to compare pictures of the same scene and size, for example to find the
    /// sharpest of several camera frames. Pictures less than 3 pixels wide or high give 0. After
    /// Pech-Pacheco et al., "Diatom autofocusing in brightfield microscopy", ICPR 2000.
    public var sharpness: Double {
        guard format == .gray8 else { return converted(to: .gray8).sharpness }
        guard width > 2, height > 2 else { return 0 }
        var sum = 0
        var squares = 0
        withRows { rows in
            var y = 1
            while y < height &- 1 {
                let above = rows.row(y &- 1)
                let row = rows.row(y)
                let below = rows.row(y &+ 1)
                var rowSum: Int32 = 0
                var rowSquares: UInt64 = 0
                var x = 1
                while x < width &- 1 {
                    let ring =
                        Int32(above[x]) &+ Int32(below[x]) &+ Int32(row[x &- 1])
                        &+ Int32(row[x &+ 1])
                    let value = ring &- 4 &* Int32(row[x])
                    rowSum &+= value
                    rowSquares &+= UInt64(UInt32(truncatingIfNeeded: value &* value))
                    x &+= 1
                }
                sum += Int(rowSum)
                squares += Int(rowSquares)
                y &+= 1
            }
        }
        let count = Double((width - 2) * (height - 2))
        let mean = Double(sum) / count
        return max(0, Double(squares) / count - mean * mean)
    }
}
