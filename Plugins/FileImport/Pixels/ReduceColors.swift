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
        if onlyBlackAndWhite { return try packed(step: step, limits: limits) }
        if format == .gray8 { return self }
        var gray = try DecodedPage(format: .gray8, width: width, height: height, limits: limits)
        gray.resolution = resolution
        gray.facts = facts
        gray.problems = problems
        let output = gray.pixels.mutableBytes
        for pixel in 0..<count { output[pixel] = source[pixel * 3] }
        return gray
    }

    private func packed(step: Int, limits: ImportLimits) throws(DecodeFault) -> DecodedPage {
        var bits = try DecodedPage(format: .bilevel, width: width, height: height, limits: limits)
        bits.resolution = resolution
        bits.facts = facts
        bits.problems = problems
        let source = pixels.bytes
        for y in 0..<height {
            let output = bits.row(y)
            var index = y * width * step
            for x in 0..<width {
                if source[index] == 0 { output[x >> 3] |= 0x80 >> UInt8(x & 7) }
                index += step
            }
        }
        return bits
    }
}
