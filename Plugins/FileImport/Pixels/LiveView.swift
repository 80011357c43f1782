import CaptureKit

extension DecodedPage {
    /// The page in one of the forms of a live picture: 8 bits a sample, gray or RGB.
    func forLiveView(limits: ImportLimits) throws(DecodeFault) -> DecodedPage {
        switch format {
        case .bilevel:
            return try redrawn(as: .gray8, limits: limits) { row, x in
                row[x >> 3] & (0x80 >> UInt8(x & 7)) == 0 ? 255 : 0
            }
        // Little-endian: the second byte is the high one.
        case .gray16: return try redrawn(as: .gray8, limits: limits) { row, x in row[2 * x + 1] }
        case .rgb16: return try redrawn(as: .rgb8, limits: limits) { row, x in row[2 * x + 1] }
        default: return self
        }
    }

    private func redrawn(
        as format: FrameFormat, limits: ImportLimits,
        _ sample: (UnsafeMutableRawBufferPointer, Int) -> UInt8
    ) throws(DecodeFault) -> DecodedPage {
        let page = try DecodedPage(format: format, width: width, height: height, limits: limits)
        for y in 0..<height {
            let (from, to) = (row(y), page.row(y))
            for x in 0..<to.count { to[x] = sample(from, x) }
        }
        return page
    }
}
