// Rotation and warp: for each pixel of the result, where it lies in the source, and the four neighbours mixed.

extension Raster {
    /// The picture read at places that a 3×3 matrix (row after row) gives for each point of the result.
    func sampled(through matrix: [Double], width: Int, height: Int, fill: UInt8) -> Raster {
        if format == .bilevel {
            return converted(to: .gray8)
                .sampled(through: matrix, width: width, height: height, fill: fill)
                .thresholded(below: 128)
        }
        let channels = format.channels
        let deep = format == .gray16 || format == .rgb16
        return building(width, height) { source, result in
            withUnsafeTemporaryAllocation(of: Place.self, capacity: width) { places in
                let places = places.baseAddress!
                var y = 0
                while y < height {
                    locate(row: y, through: matrix, count: width, into: places)
                    if deep {
                        Self.mix16(
                            source, places, count: width, channels: channels, fill: fill,
                            down: self.height > 1, across: self.width > 1, into: result.row(y))
                    } else if channels == 1 {
                        Self.mixGray8(
                            source, places, count: width, fill: fill, down: self.height > 1,
                            across: self.width > 1, into: result.row(y))
                    } else {
                        Self.mixRGB8(
                            source, places, count: width, fill: fill, down: self.height > 1,
                            across: self.width > 1, into: result.row(y))
                    }
                    y &+= 1
                }
            }
        }
    }

    /// Where a row's pixels lie in this picture. A place within half a pixel of the edge counts as on it.
    private func locate(
        row: Int, through m: [Double], count: Int, into places: UnsafeMutablePointer<Place>
    ) {
        let v = Double(row) + 0.5
        // Half a pixel is taken off, since a pixel's value stands at its middle.
        let x0 = Float(m[0] * 0.5 + m[1] * v + m[2])
        let y0 = Float(m[3] * 0.5 + m[4] * v + m[5])
        let w0 = Float(m[6] * 0.5 + m[7] * v + m[8])
        let (dx, dy, dw) = (Float(m[0]), Float(m[3]), Float(m[6]))
        let affine = m[6] == 0 && m[7] == 0 && m[8] == 1
        let right = Float(width)
        let bottom = Float(height)
        let lastX = Int32(max(0, width - 2))
        let lastY = Int32(max(0, height - 2))
        var i = 0
        while i < count {
            let u = Float(i)
            var x = x0 + dx * u
            var y = y0 + dy * u
            if !affine {
                let divisor = w0 + dw * u
                // Behind the horizon there is no place: not a number.
                let scale = divisor > 0 ? 1 / divisor : .nan
                x *= scale
                y *= scale
            }
            // Written so that a place that is not a number counts as outside.
            if x >= 0 && x <= right && y >= 0 && y <= bottom {
                x = max(0, min(x - 0.5, right - 1))
                y = max(0, min(y - 0.5, bottom - 1))
                let column = min(Int32(x), lastX)
                let line = min(Int32(y), lastY)
                places[i] = Place(
                    x: column, y: line, fx: UInt32((x - Float(column)) * 256 + 0.5),
                    fy: UInt32((y - Float(line)) * 256 + 0.5))
            } else {
                places[i].x = -1
            }
            i &+= 1
        }
    }

    private static func mixGray8(
        _ source: PixelRows, _ places: UnsafePointer<Place>, count: Int, fill: UInt8, down: Bool,
        across: Bool, into row: UnsafeMutablePointer<UInt8>
    ) {
        let below = down ? source.stride : 0
        let beside = across ? 1 : 0
        var i = 0
        while i < count {
            let place = places[i]
            if place.x < 0 {
                row[i] = fill
            } else {
                let p = source.row(Int(place.y)) + Int(place.x)
                let q = p + below
                row[i] = UInt8(
                    truncatingIfNeeded: place.mix(
                        UInt32(p[0]), UInt32(p[beside]), UInt32(q[0]), UInt32(q[beside])))
            }
            i &+= 1
        }
    }

    private static func mixRGB8(
        _ source: PixelRows, _ places: UnsafePointer<Place>, count: Int, fill: UInt8, down: Bool,
        across: Bool, into row: UnsafeMutablePointer<UInt8>
    ) {
        let below = down ? source.stride : 0
        let beside = across ? 3 : 0
        var i = 0
        while i < count {
            let place = places[i]
            let to = row + 3 &* i
            if place.x < 0 {
                to[0] = fill
                to[1] = fill
                to[2] = fill
            } else {
                let p = source.row(Int(place.y)) + 3 &* Int(place.x)
                let q = p + below
                var c = 0
                while c < 3 {
                    to[c] = UInt8(
                        truncatingIfNeeded: place.mix(
                            UInt32(p[c]), UInt32(p[beside &+ c]), UInt32(q[c]),
                            UInt32(q[beside &+ c])))
                    c &+= 1
                }
            }
            i &+= 1
        }
    }

    private static func mix16(
        _ source: PixelRows, _ places: UnsafePointer<Place>, count: Int, channels: Int, fill: UInt8,
        down: Bool, across: Bool, into row: UnsafeMutablePointer<UInt8>
    ) {
        func value(_ row: UnsafeRawPointer, _ index: Int) -> UInt32 {
            UInt32(row.loadUnaligned(fromByteOffset: 2 &* index, as: UInt16.self))
        }
        let below = down ? source.stride : 0
        let beside = across ? channels : 0
        let to = UnsafeMutableRawPointer(row).assumingMemoryBound(to: UInt16.self)
        var i = 0
        while i < count {
            let place = places[i]
            var c = 0
            while c < channels {
                if place.x < 0 {
                    to[i &* channels &+ c] = UInt16(fill) &* 257
                } else {
                    let p =
                        UnsafeRawPointer(source.row(Int(place.y))) + 2 &* channels &* Int(place.x)
                    let q = p + below
                    to[i &* channels &+ c] = UInt16(
                        truncatingIfNeeded: place.mix(
                            value(p, c), value(p, beside &+ c), value(q, c), value(q, beside &+ c)))
                }
                c &+= 1
            }
            i &+= 1
        }
    }
}

/// Where a result pixel lies: the upper left of four neighbours, and how far towards the others in 1/256; x is −1 outside.
private struct Place {
    var x: Int32
    var y: Int32
    var fx: UInt32
    var fy: UInt32

    /// The four neighbours mixed and rounded; 16-bit values do not overflow.
    @inline(__always)
    func mix(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
        let top = a &* (256 &- fx) &+ b &* fx
        let bottom = c &* (256 &- fx) &+ d &* fx
        return (top &* (256 &- fy) &+ bottom &* fy &+ 32768) >> 16
    }
}
