import CaptureKit

/// A picture reduced to coarse cells of mean colour, so that a scan can be compared with the page that shows it.
struct CellGrid {
    /// Cells along the longer side: some 2 mm each on A4, small enough for a page number to show.
    private static let longSide = 128
    /// Rendered pixels along a cell's side.
    static let renderedPixels = 8
    /// The largest difference of a cell's colour that scaling alone explains, of 255.
    private static let largestDifference: Int = 24
    /// The largest mean difference that scaling and colour management explain, of 255.
    private static let largestMeanDifference = 4.0

    private let columns: Int
    private let rows: Int
    /// Red, green, blue of each cell.
    private let colours: [UInt8]

    /// The grid for an area of these sides.
    static func size(width: Double, height: Double) -> (columns: Int, rows: Int) {
        let long = Double(longSide)
        let scale = long / max(width, height)
        return (max(1, Int((width * scale).rounded())), max(1, Int((height * scale).rounded())))
    }

    /// Reduces `page` to `columns` × `rows` cells by their mean.
    init(_ page: DecodedPage, columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        var colours: [UInt8] = []
        colours.reserveCapacity(columns * rows * 3)
        for row in 0..<rows {
            let top = row * page.height / rows
            let bottom = max(top + 1, (row + 1) * page.height / rows)
            for column in 0..<columns {
                let left = column * page.width / columns
                let right = max(left + 1, (column + 1) * page.width / columns)
                page.appendMean(
                    x: left..<min(right, page.width), y: top..<min(bottom, page.height),
                    to: &colours)
            }
        }
        self.colours = colours
    }

    /// How `page` must be turned to look like `shown`; nil when it doesn't however it is turned.
    static func turn(
        of page: DecodedPage, matching shown: CellGrid, limits: ImportLimits
    ) throws(DecodeFault) -> Turn? {
        let upright = CellGrid(page, columns: shown.columns, rows: shown.rows)
        let lying = CellGrid(page, columns: shown.rows, rows: shown.columns)
        var best: (turn: Turn, total: Int)?
        for turn in Turn.allCases {
            let stored = turn.swapsSides ? lying : upright
            let difference = stored.difference(from: shown, turnedBy: turn)
            guard difference.largest <= largestDifference,
                Double(difference.total) <= largestMeanDifference * Double(shown.colours.count)
            else { continue }
            // A blank page fits every way round; the first, unturned one is taken then.
            if best.map({ difference.total < $0.total }) ?? true { best = (turn, difference.total) }
        }
        return best?.turn
    }

    private func difference(from shown: CellGrid, turnedBy turn: Turn) -> (largest: Int, total: Int)
    {
        let walk = turn.walk(width: columns, height: rows)
        var largest = 0
        var total = 0
        for y in 0..<shown.rows {
            for x in 0..<shown.columns {
                let fromX = walk.x + x * walk.right.x + y * walk.down.x
                let fromY = walk.y + x * walk.right.y + y * walk.down.y
                let from = (fromY * columns + fromX) * 3
                let to = (y * shown.columns + x) * 3
                for channel in 0..<3 {
                    let one = abs(Int(colours[from + channel]) - Int(shown.colours[to + channel]))
                    largest = max(largest, one)
                    total += one
                }
            }
        }
        return (largest, total)
    }
}

extension DecodedPage {
    /// Appends the mean red, green and blue of a part.
    fileprivate func appendMean(x: Range<Int>, y: Range<Int>, to colours: inout [UInt8]) {
        let bytes = pixels.bytes
        var sums = (0, 0, 0)
        for row in y {
            let start = row * stride
            for column in x {
                switch format {
                case .bilevel:
                    let black = bytes[start + (column >> 3)] & (0x80 >> UInt8(column & 7)) != 0
                    sums.0 += black ? 0 : 255
                case .gray8: sums.0 += Int(bytes[start + column])
                case .gray16: sums.0 += Int(bytes[start + column * 2 + 1])
                case .rgb8:
                    sums.0 += Int(bytes[start + column * 3])
                    sums.1 += Int(bytes[start + column * 3 + 1])
                    sums.2 += Int(bytes[start + column * 3 + 2])
                case .rgb16:
                    sums.0 += Int(bytes[start + column * 6 + 1])
                    sums.1 += Int(bytes[start + column * 6 + 3])
                    sums.2 += Int(bytes[start + column * 6 + 5])
                }
            }
        }
        let count = max(1, x.count * y.count)
        if format != .rgb8, format != .rgb16 { sums = (sums.0, sums.0, sums.0) }
        colours.append(UInt8(sums.0 / count))
        colours.append(UInt8(sums.1 / count))
        colours.append(UInt8(sums.2 / count))
    }
}
