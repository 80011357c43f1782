import CaptureKit

/// A picture reduced to coarse cells of mean colour, so that a scan can be compared with the page that shows it.
struct CellGrid {
    /// Cells along the longer side: some 2 mm each on A4, small enough for a page number to show.
    private static let longSide = 128
    /// The fewest of the picture's own pixels along a cell's side.
    private static let pixelsPerCell = 4
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

    /// The grid for a picture shown at these sides: no cell smaller than a few of the picture's own pixels, whose edges
    /// renderers blur.
    static func size(
        width: Double, height: Double, picture: PDFPicture
    ) -> (columns: Int, rows: Int) {
        let finest = max(1, max(picture.width, picture.height) / pixelsPerCell)
        let scale = Double(min(longSide, finest)) / max(width, height)
        return (max(1, Int((width * scale).rounded())), max(1, Int((height * scale).rounded())))
    }

    /// Reduces `page` to `columns` × `rows` cells by their mean; a pixel on a border counts for both sides by its part.
    init(_ page: DecodedPage, columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        let across = (0..<columns).map { Share($0, of: columns, pixels: page.width) }
        var colours: [UInt8] = []
        colours.reserveCapacity(columns * rows * 3)
        for row in 0..<rows {
            let down = Share(row, of: rows, pixels: page.height)
            for share in across { page.appendMean(x: share, y: down, to: &colours) }
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

/// The pixels along one side of a cell, in 256ths of a pixel.
private struct Share {
    /// Where the cell begins and ends.
    let start: Int
    let end: Int

    init(_ index: Int, of cells: Int, pixels: Int) {
        start = index * pixels * 256 / cells
        end = max(start + 1, (index + 1) * pixels * 256 / cells)
    }

    /// The pixels that lie in the cell, wholly or in part.
    var pixels: Range<Int> { (start >> 8)..<((end + 255) >> 8) }

    /// How much of pixel `index` lies in the cell, of 256.
    func weight(_ index: Int) -> Int { min(end, (index + 1) << 8) - max(start, index << 8) }
}

extension DecodedPage {
    /// Appends the mean red, green and blue of a part.
    fileprivate func appendMean(x: Share, y: Share, to colours: inout [UInt8]) {
        // 16-bit samples are told by their high bytes.
        let (channels, pixel, sample, first) =
            switch format {
            case .bilevel, .gray8: (1, 1, 1, 0)
            case .gray16: (1, 2, 2, 1)
            case .rgb8: (3, 3, 1, 0)
            case .rgb16: (3, 6, 2, 1)
            case .yuyv, .uyvy, .nv12, .jpeg: preconditionFailure("no decoded page is \(format)")
            }
        let area = (x.end - x.start) * (y.end - y.start)
        for channel in 0..<channels {
            var sum = 0
            for row in y.pixels {
                let part =
                    format == .bilevel
                    ? bilevelSum(x, row: row)
                    : sampleSum(x, offset: row * stride + channel * sample + first, step: pixel)
                sum += part * y.weight(row)
            }
            colours.append(contentsOf: repeatElement(UInt8(sum / area), count: 3 / channels))
        }
    }

    /// The weighted sum of a row's bytes that lie `step` apart, the first pixel's at `offset`.
    private func sampleSum(_ x: Share, offset: Int, step: Int) -> Int {
        let bytes = pixels.bytes
        let columns = x.pixels
        let last = columns.upperBound - 1
        var sum = 0
        var at = offset + columns.lowerBound * step
        for _ in columns {
            sum += Int(bytes[at])
            at += step
        }
        // Every pixel counted as a whole one; the first and the last may lie in the cell only in part.
        sum <<= 8
        sum -= (256 - x.weight(columns.lowerBound)) * Int(bytes[offset + columns.lowerBound * step])
        if last > columns.lowerBound {
            sum -= (256 - x.weight(last)) * Int(bytes[offset + last * step])
        }
        return sum
    }

    private func bilevelSum(_ x: Share, row: Int) -> Int {
        let bytes = pixels.bytes
        let start = row * stride
        return x.pixels.reduce(0) { sum, column in
            let isBlack = bytes[start + (column >> 3)] & (0x80 >> UInt8(column & 7)) != 0
            return isBlack ? sum : sum + 255 * x.weight(column)
        }
    }
}
