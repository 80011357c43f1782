// Rotation and warp: each pixel of the result is a mixture of the four neighbors of its place in
// the source.

extension Raster {
    /// The picture read at places that a 3×3 matrix (row after row) gives for each point of the
    /// result.
    ///
    /// The matrix's divisor is positive where the result shows the picture, negative beyond the
    /// horizon.
    func sampled(through matrix: [Double], width: Int, height: Int, fill: UInt8) -> Raster {
        if format == .bilevel {
            return converted(to: .gray8)
                .sampled(through: matrix, width: width, height: height, fill: fill)
                .thresholded(below: 128)
        }
        let format = format
        let rowBytes = format.minimumStride(width: width)
        let map = BackwardMap(matrix, sourceWidth: self.width, sourceHeight: self.height)
        return building(width, height) { source, result in
            let neighbors = Neighbors(source, width: self.width, height: self.height, format)
            var y = 0
            while y < height {
                let row = result.row(y)
                // This is right for 16 bits too, because both bytes of fill × 257 are `fill`.
                row.update(repeating: fill, count: rowBytes)
                map.forEachRun(ofRow: y, count: width) { run in
                    switch format {
                    case .gray8: neighbors.mixGray(run, into: row)
                    case .rgb8: neighbors.mixColor(run, into: row)
                    default: neighbors.mixDeep(run, into: row)
                    }
                }
                y &+= 1
            }
        }
    }
}

/// Mixes four neighbors in a source bilinearly, with weights in units of 1/256.
private struct Neighbors {
    private let source: PixelRows
    private let channels: Int
    /// Samples from a pixel to its right neighbor; 0 in a picture one pixel wide.
    private let beside: Int
    /// Bytes from a pixel to the one below; 0 in a picture one pixel high.
    private let below: Int
    /// The last column and row that have a neighbor after them.
    private let lastX: Int
    private let lastY: Int

    init(_ source: PixelRows, width: Int, height: Int, _ format: PixelFormat) {
        self.source = source
        channels = format.channels
        beside = width > 1 ? format.channels : 0
        below = height > 1 ? source.stride : 0
        lastX = max(0, width - 2)
        lastY = max(0, height - 2)
    }

    /// A place as the upper left one of four neighbors, and the weights, 0…256, of the right and
    /// lower ones.
    @inline(__always)
    private func split(_ x: Int, _ y: Int) -> (column: Int, line: Int, across: Int32, down: Int32) {
        let fineX = (x &+ 32768) >> 16
        let fineY = (y &+ 32768) >> 16
        let column = min(fineX >> 8, lastX)
        let line = min(fineY >> 8, lastY)
        return (
            column, line, Int32(truncatingIfNeeded: fineX &- (column << 8)),
            Int32(truncatingIfNeeded: fineY &- (line << 8))
        )
    }

    @inline(__always)
    private static func mix(
        _ a: UInt8, _ b: UInt8, c: UInt8, d: UInt8, across: Int32, down: Int32
    ) -> UInt8 {
        let (a, b) = (Int32(a), Int32(b))
        let (c, d) = (Int32(c), Int32(d))
        let top = a &* 256 &+ (b &- a) &* across
        let bottom = c &* 256 &+ (d &- c) &* across
        return UInt8(truncatingIfNeeded: (top &* 256 &+ (bottom &- top) &* down &+ 32768) >> 16)
    }

    func mixGray(_ run: Run, into row: UnsafeMutablePointer<UInt8>) {
        let to = row + run.first
        var i = 0
        if run.isAlongRows, beside == 1 { i = mixGrayAlongRows(run, into: to) }
        var (x, y) = (run.x &+ i &* run.dx, run.y &+ i &* run.dy)
        while i < run.count {
            let (column, line, across, down) = split(x, y)
            let p = source.row(line) + column
            let q = p + below
            to[i] = Self.mix(p[0], p[beside], c: q[0], d: q[beside], across: across, down: down)
            x &+= run.dx
            y &+= run.dy
            i &+= 1
        }
    }

    /// Mixes the pixels of a run that is nearly level, as ``mix(_:_:_:_:_:_:)`` does.
    ///
    /// Each stretch has neighbors side by side in the same two rows, so the compiler vectorizes it.
    ///
    /// - Returns: the number of mixed pixels; the picture's last column and row are left out.
    private func mixGrayAlongRows(_ run: Run, into to: UnsafeMutablePointer<UInt8>) -> Int {
        let one = Run.one
        var i = 0
        while i < run.count {
            let x = run.x &+ i &* run.dx &+ 32768
            let y = run.y &+ i &* run.dy &+ 32768
            let (column, line) = (x / one, y / one)
            guard x >= 0, y >= 0, column <= lastX, line <= lastY else { return i }
            let count = min(
                run.count &- i, lastX &- column &+ 1,
                Run.steps(from: x &- column &* one, by: run.dx &- one),
                Run.steps(from: y &- line &* one, by: run.dy))
            let p = source.row(line) + column
            let q = p + below
            let (fromX, byX) = (
                Int32(truncatingIfNeeded: x &- column &* one),
                Int32(truncatingIfNeeded: run.dx &- one)
            )
            let (fromY, byY) = (
                Int32(truncatingIfNeeded: y &- line &* one), Int32(truncatingIfNeeded: run.dy)
            )
            let end = to + i
            var k = 0
            while k < count {
                let step = Int32(truncatingIfNeeded: k)
                let across = UInt16(truncatingIfNeeded: (fromX &+ step &* byX) >> 16)
                let down = UInt16(truncatingIfNeeded: (fromY &+ step &* byY) >> 16)
                let top = UInt16(p[k]) &* (256 &- across) &+ UInt16(p[k &+ 1]) &* across
                let bottom = UInt16(q[k]) &* (256 &- across) &+ UInt16(q[k &+ 1]) &* across
                let sum =
                    UInt32(top) &* UInt32(256 &- down) &+ UInt32(bottom) &* UInt32(down) &+ 32768
                end[k] = UInt8(truncatingIfNeeded: sum >> 16)
                k &+= 1
            }
            i &+= count
        }
        return i
    }

    func mixColor(_ run: Run, into row: UnsafeMutablePointer<UInt8>) {
        var (x, y) = (run.x, run.y)
        var to = row + 3 * run.first
        let r = beside
        var i = 0
        while i < run.count {
            let (column, line, across, down) = split(x, y)
            let p = source.row(line) + 3 &* column
            let q = p + below
            to[0] = Self.mix(p[0], p[r], c: q[0], d: q[r], across: across, down: down)
            to[1] = Self.mix(p[1], p[r &+ 1], c: q[1], d: q[r &+ 1], across: across, down: down)
            to[2] = Self.mix(p[2], p[r &+ 2], c: q[2], d: q[r &+ 2], across: across, down: down)
            to += 3
            x &+= run.dx
            y &+= run.dy
            i &+= 1
        }
    }

    func mixDeep(_ run: Run, into row: UnsafeMutablePointer<UInt8>) {
        func value(_ row: UnsafeRawPointer, _ index: Int) -> Int {
            Int(row.loadUnaligned(fromByteOffset: 2 &* index, as: UInt16.self))
        }
        var (x, y) = (run.x, run.y)
        let to = UnsafeMutableRawPointer(row) + 2 * channels * run.first
        var i = 0
        while i < run.count {
            let (column, line, across, down) = split(x, y)
            let p = UnsafeRawPointer(source.row(line)) + 2 &* channels &* column
            let q = p + below
            var c = 0
            while c < channels {
                let (a, b) = (value(p, c), value(p, beside &+ c))
                let (d, e) = (value(q, c), value(q, beside &+ c))
                let top = a &* 256 &+ (b &- a) &* Int(across)
                let bottom = d &* 256 &+ (e &- d) &* Int(across)
                let sum = top &* 256 &+ (bottom &- top) &* Int(down) &+ 32768
                to.storeBytes(
                    of: UInt16(truncatingIfNeeded: sum >> 16),
                    toByteOffset: 2 &* (i &* channels &+ c), as: UInt16.self)
                c &+= 1
            }
            x &+= run.dx
            y &+= run.dy
            i &+= 1
        }
    }
}
