import CaptureKit

extension DecodedPage {
    /// The page in the smallest format with the same pixels: bilevel, gray or color.
    ///
    /// It is for pages from a palette or a renderer, which always give color. Only 8-bit pages
    /// change.
    func reduced(limits: ImportLimits) throws(DecodeFault) -> DecodedPage {
        guard format == .rgb8 || format == .gray8 else { return self }
        let step = format == .rgb8 ? 3 : 1
        let source = pixels.bytes
        var onlyBlackAndWhite = true
        var index = 0
        let count = width * height
        for _ in 0..<count {
            let value = source[index]
            if step == 3, source[index + 1] != value || source[index + 2] != value { return self }
            if value != 0, value != 255 { onlyBlackAndWhite = false }
            index += step
        }
        if format == .gray8, !onlyBlackAndWhite { return self }
        var result = try DecodedPage(
            format: onlyBlackAndWhite ? .bilevel : .gray8, width: width, height: height,
            limits: limits)
        result.resolution = resolution
        result.facts = facts
        result.problems = problems
        index = 0
        for y in 0..<height {
            let output = result.row(y)
            for x in 0..<width {
                if !onlyBlackAndWhite {
                    output[x] = source[index]
                } else if source[index] == 0 {
                    output[x >> 3] |= 0x80 >> UInt8(x & 7)
                }
                index += step
            }
        }
        return result
    }
}
