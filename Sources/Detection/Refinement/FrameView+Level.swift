extension FrameView {
    /// Luma between pixels, whose centres lie at halves; the border's pixels go on outside.
    @inline(__always)
    func level(_ x: Double, _ y: Double) -> Float {
        let (x, y) = (
            min(max(x - 0.5, 0), Double(width - 1)), min(max(y - 0.5, 0), Double(height - 1))
        )
        let (column, row) = (Int(x), Int(y))
        let (right, below) = (min(column &+ 1, width &- 1), min(row &+ 1, height &- 1))
        let (a, b) = (Float(x - Double(column)), Float(y - Double(row)))
        let upper = luma(column, row) * (1 - a) + luma(right, row) * a
        let lower = luma(column, below) * (1 - a) + luma(right, below) * a
        return upper * (1 - b) + lower * b
    }
}
