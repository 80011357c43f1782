import CaptureKit

/// The turn that makes stored pixels upright: EXIF 2.32, tag 274, which is TIFF 6.0's Orientation.
enum Turn: Int, CaseIterable, Sendable {
    /// Row 0 is the top, column 0 the left.
    case none = 1
    /// The picture is mirrored left to right.
    case mirrored = 2
    /// The picture is upside down.
    case half = 3
    /// The picture is mirrored top to bottom.
    case flipped = 4
    /// Row 0 is the left side, column 0 the top.
    case transposed = 5
    /// Row 0 is the right side: a quarter turn clockwise fixes it.
    case right = 6
    /// Row 0 is the right side, column 0 the bottom.
    case transversed = 7
    /// Row 0 is the left side, column 0 the bottom: a quarter turn counterclockwise fixes it.
    case left = 8

    /// True when width and height change places.
    var swapsSides: Bool { rawValue >= 5 }

    /// The position of the turned picture's first pixel in a `width` × `height` picture, and the
    /// steps to the next pixel to the right and below, in pixels of x and y.
    func walk(width: Int, height: Int) -> (
        x: Int, y: Int, right: (x: Int, y: Int), down: (x: Int, y: Int)
    ) {
        let (x, y) = (width - 1, height - 1)
        return switch self {
        case .none: (0, 0, (1, 0), (0, 1))
        case .mirrored: (x, 0, (-1, 0), (0, 1))
        case .half: (x, y, (-1, 0), (0, -1))
        case .flipped: (0, y, (1, 0), (0, -1))
        case .transposed: (0, 0, (0, 1), (1, 0))
        case .right: (0, y, (0, -1), (1, 0))
        case .transversed: (x, y, (0, -1), (-1, 0))
        case .left: (x, 0, (0, 1), (-1, 0))
        }
    }
}

extension DecodedPage {
    /// The page turned upright; an encoded original, whose pixels are ordered differently, is
    /// dropped.
    func turned(_ turn: Turn, limits: ImportLimits) throws(DecodeFault) -> DecodedPage {
        if turn == .none { return self }
        // Both pages are held for a moment.
        try limits.check(
            width: width, height: height, bytesPerPixel: 2 * ((format.bitsPerPixel + 7) / 8))
        var target = try DecodedPage(
            format: format, width: turn.swapsSides ? height : width,
            height: turn.swapsSides ? width : height, limits: limits)
        target.facts = facts
        target.problems = problems
        target.resolution = resolution.map {
            turn.swapsSides ? Resolution(x: $0.y, y: $0.x) : $0
        }
        switch format {
        case .bilevel: turnBits(turn, into: target)
        case .gray8: turnSamples(turn, into: target, as: UInt8.self)
        case .gray16: turnSamples(turn, into: target, as: UInt16.self)
        case .rgb8: turnSamples(turn, into: target, as: Triple<UInt8>.self)
        case .rgb16: turnSamples(turn, into: target, as: Triple<UInt16>.self)
        case .yuyv, .uyvy, .nv12, .jpeg: preconditionFailure("a decoded page is never \(format)")
        }
        return target
    }

    private func turnSamples<Pixel: BitwiseCopyable>(
        _ turn: Turn, into target: DecodedPage, as type: Pixel.Type
    ) {
        // Both buffers hold exactly width × height pixels, so neither is empty.
        let source = pixels.bytes.baseAddress!.assumingMemoryBound(to: Pixel.self)
        let output = target.pixels.mutableBytes.baseAddress!.assumingMemoryBound(to: Pixel.self)
        let walk = turn.walk(width: width, height: height)
        let right = walk.right.x + walk.right.y * width
        let down = walk.down.x + walk.down.y * width
        let start = walk.x + walk.y * width
        // Square blocks keep both sides in the cache when rows become columns.
        let block = 64
        for top in Swift.stride(from: 0, to: target.height, by: block) {
            for left in Swift.stride(from: 0, to: target.width, by: block) {
                let edge = min(left + block, target.width)
                for y in top..<min(top + block, target.height) {
                    var from = start + y * down + left * right
                    let row = y * target.width
                    for x in left..<edge {
                        output[row + x] = source[from]
                        from += right
                    }
                }
            }
        }
    }

    private func turnBits(_ turn: Turn, into target: DecodedPage) {
        let walk = turn.walk(width: width, height: height)
        let source = pixels.bytes
        for y in 0..<target.height {
            let output = target.row(y)
            var fromX = walk.x + y * walk.down.x
            var fromY = walk.y + y * walk.down.y
            for x in 0..<target.width {
                if source[fromY * stride + (fromX >> 3)] & (0x80 >> UInt8(fromX & 7)) != 0 {
                    output[x >> 3] |= 0x80 >> UInt8(x & 7)
                }
                fromX += walk.right.x
                fromY += walk.right.y
            }
        }
    }
}

/// Three adjacent samples, such as red, green and blue.
private struct Triple<Sample: BitwiseCopyable>: BitwiseCopyable {
    var first: Sample
    var second: Sample
    var third: Sample
}
