extension FrameView {
    /// The luma between pixels, whose centers are at halves; beyond the border, the border's pixels
    /// repeat.
    @inline(__always)
    func level(_ x: Double, _ y: Double) -> Float {
        let (x, y) = (
            min(max(x - 0.5, 0), Double(width - 1)), min(max(y - 0.5, 0), Double(height - 1))
        )
        let (column, row) = (Int(x), Int(y))
        let right = column &+ 1 < width ? pixelBytes : 0
        let below = row &+ 1 < height ? rowBytes : 0
        let (a, b) = (Float(x - Double(column)), Float(y - Double(row)))
        let pixel = base + (row &* rowBytes &+ column &* pixelBytes)
        let upper = luma(pixel) * (1 - a) + luma(pixel + right) * a
        let lower = luma(pixel + below) * (1 - a) + luma(pixel + (below &+ right)) * a
        return upper * (1 - b) + lower * b
    }
}

extension FrameView {
    /// Red, green and blue of a pixel, 0…255; in a frame without color, its luma three times.
    func color(_ x: Double, _ y: Double) -> SIMD3<Float> {
        let column = min(max(Int(x), 0), width - 1)
        let row = min(max(Int(y), 0), height - 1)
        let pixel = (base + (row * rowBytes + column * pixelBytes))
            .assumingMemoryBound(to: UInt8.self)
        guard isColor else { return SIMD3(repeating: Float(pixel[0])) }
        return SIMD3(Float(pixel[0]), Float(pixel[1]), Float(pixel[2]))
    }
}
