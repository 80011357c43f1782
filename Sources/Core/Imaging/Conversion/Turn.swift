extension Raster {
    /// The picture turned by a multiple of 90°; every pixel is kept exactly.
    ///
    /// Quarter turns swap width and height. Four quarter turns in one direction restore the
    /// picture.
    ///
    /// - Parameter turn: the direction of the turn.
    public func rotated(by turn: QuarterTurn) -> Raster {
        if format == .bilevel {
            // Bits become bytes for the turn: this is simple and exact, and takes milliseconds per
            // page.
            return converted(to: .gray8).rotated(by: turn).thresholded(below: 128)
        }
        return switch turn {
        case .half: upsideDown()
        case .clockwise90: quarterTurned(clockwise: true)
        case .counterclockwise90: quarterTurned(clockwise: false)
        }
    }

    private func upsideDown() -> Raster {
        let size = format.bitsPerPixel / 8
        return building { source, result in
            var y = 0
            while y < height {
                let from = source.row(y)
                let to = result.row(height &- 1 &- y)
                if size == 1 {
                    var x = 0
                    while x < width {
                        to[width &- 1 &- x] = from[x]
                        x &+= 1
                    }
                } else {
                    var x = 0
                    while x < width {
                        let target = to + (width &- 1 &- x) &* size
                        let origin = from + x &* size
                        var i = 0
                        while i < size {
                            target[i] = origin[i]
                            i &+= 1
                        }
                        x &+= 1
                    }
                }
                y &+= 1
            }
        }
    }

    /// Visits the result in tiles, so that both the rows read and the rows written stay in the
    /// cache.
    private func quarterTurned(clockwise: Bool) -> Raster {
        let size = format.bitsPerPixel / 8
        let tile = 32
        return building(height, width) { source, result in
            // Result (x, y) comes from source column y (clockwise) or width − 1 − y, and row height
            // − 1 − x or x.
            let step = clockwise ? -source.stride : source.stride
            var top = 0
            while top < width {
                let bottom = min(top + tile, width)
                var left = 0
                while left < height {
                    let right = min(left + tile, height)
                    var y = top
                    while y < bottom {
                        let column = clockwise ? y : width &- 1 &- y
                        let row = clockwise ? height &- 1 &- left : left
                        var from = source.row(row) + column &* size
                        var to = result.row(y) + left &* size
                        var x = left
                        while x < right {
                            if size == 1 {
                                to[0] = from[0]
                            } else {
                                var i = 0
                                while i < size {
                                    to[i] = from[i]
                                    i &+= 1
                                }
                            }
                            from += step
                            to += size
                            x &+= 1
                        }
                        y &+= 1
                    }
                    left = right
                }
                top = bottom
            }
        }
    }
}
