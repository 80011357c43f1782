extension Raster {
    /// The page without its ink, in another size: each pixel is the mean of the pixels in its area
    /// that are not ink.
    ///
    /// Places under ink are filled smoothly from their surroundings.
    ///
    /// - Parameters:
    ///   - map: 0 for each pixel that counts, row after row.
    ///   - scale: the number of pixels for one pixel of the result, in each direction; at least 1.
    func background(without map: [UInt8], scale: Double) -> Raster {
        let columns = max(1, Int((Double(width) / scale).rounded()))
        let rows = max(1, Int((Double(height) / scale).rounded()))
        let channels = format.channels
        var plane = WeightedPlane(columns: columns, rows: rows, channels: channels)
        // The column of the plane for each pixel.
        let places = (0..<width).map { min(columns - 1, $0 * columns / width) }
        withRows { source in
            plane.withCells { values, weights in
                places.withUnsafeBufferPointer { places in
                    map.withUnsafeBufferPointer { map in
                        var y = 0
                        while y < height {
                            let first = min(rows - 1, y * rows / height) * columns
                            let row = source.row(y)
                            let marks = map.baseAddress! + y &* width
                            var x = 0
                            while x < width {
                                if marks[x] == 0 {
                                    let cell = first &+ places[x]
                                    weights[cell] += 1
                                    var k = 0
                                    while k < channels {
                                        values[cell &* channels &+ k] += Float(
                                            row[x &* channels &+ k])
                                        k &+= 1
                                    }
                                }
                                x &+= 1
                            }
                            y &+= 1
                        }
                    }
                }
            }
        }
        plane.fill()
        return building(columns, rows) { _, result in
            for y in 0..<rows {
                let row = result.row(y)
                for i in 0..<columns * channels {
                    let value = plane.values[y * columns * channels + i]
                    row[i] = UInt8(min(max(value + 0.5, 0), 255))
                }
            }
        }
    }
}

/// Sums of samples on a grid, with the number of samples in each cell.
private struct WeightedPlane {
    let columns: Int
    let rows: Int
    let channels: Int
    var values: [Float]
    private var weights: [Float]

    init(columns: Int, rows: Int, channels: Int) {
        self.columns = columns
        self.rows = rows
        self.channels = channels
        values = [Float](repeating: 0, count: columns * rows * channels)
        weights = [Float](repeating: 0, count: columns * rows)
    }

    mutating func withCells(
        _ body: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>) -> Void
    ) {
        values.withUnsafeMutableBufferPointer { values in
            weights.withUnsafeMutableBufferPointer { body(values.baseAddress!, $0.baseAddress!) }
        }
    }

    /// Turns sums into means, and gives empty cells the mean of a wider area, linearly
    /// interpolated.
    ///
    /// The pull and push of Gortler et al., "The lumigraph", SIGGRAPH 1996. An empty plane becomes
    /// white.
    mutating func fill() {
        let isFull = !weights.contains(0)
        let wider = isFull ? nil : halved()
        for y in 0..<rows {
            for x in 0..<columns {
                let cell = y * columns + x
                for k in 0..<channels {
                    let at = cell * channels + k
                    values[at] =
                        weights[cell] > 0
                        ? values[at] / weights[cell] : wider?.mean(x, y, channel: k) ?? 255
                }
            }
        }
    }

    /// The filled plane with half the size; nil for a plane that can't be halved.
    private func halved() -> WeightedPlane? {
        guard columns > 1 || rows > 1 else { return nil }
        var half = WeightedPlane(
            columns: (columns + 1) / 2, rows: (rows + 1) / 2, channels: channels)
        for y in 0..<rows {
            for x in 0..<columns {
                let from = y * columns + x
                let to = y / 2 * half.columns + x / 2
                half.weights[to] += weights[from]
                for k in 0..<channels {
                    half.values[to * channels + k] += values[from * channels + k]
                }
            }
        }
        half.fill()
        return half
    }

    /// The interpolated value at a cell of the plane with twice the size.
    private func mean(_ x: Int, _ y: Int, channel: Int) -> Float {
        // The cell that contains the place has three times the weight of the next one.
        let (first, upmost) = ((x + 1) / 2 - 1, (y + 1) / 2 - 1)
        let (left, top) = (max(0, first), max(0, upmost))
        let (right, bottom) = (min(first + 1, columns - 1), min(upmost + 1, rows - 1))
        func value(_ x: Int, _ y: Int) -> Float { values[(y * columns + x) * channels + channel] }
        let across: Float = x % 2 == 0 ? 0.75 : 0.25
        let down: Float = y % 2 == 0 ? 0.75 : 0.25
        let upper = value(left, top) * (1 - across) + value(right, top) * across
        let lower = value(left, bottom) * (1 - across) + value(right, bottom) * across
        return upper * (1 - down) + lower * down
    }
}
