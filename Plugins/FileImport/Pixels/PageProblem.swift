import CaptureKit

extension DecodedPage {
    /// All messages for users about the page: the problems of decoding, and facts about the file,
    /// as fixed sentences that can be translated.
    var allProblems: [String] {
        problems
            + (damage == nil
                ? [] : ["The file is damaged; the page shows what could be read of it."])
            + (isAnimation ? ["The file is an animation; the page is its first picture."] : [])
    }

    /// Makes the rows from `first` on white.
    func whiten(from first: Int) {
        guard first < height else { return }
        let bytes = UnsafeMutableRawBufferPointer(
            rebasing: pixels.mutableBytes[(first * stride)...])
        bytes.initializeMemory(as: UInt8.self, repeating: format == .bilevel ? 0 : 255)
    }

    /// Makes the bits after the last pixel of each row white, if the page has bits: they may have
    /// been inverted, too.
    func clearBitsAfterRows() {
        guard format == .bilevel, width & 7 != 0 else { return }
        for y in 0..<height {
            row(y)[stride - 1] &= UInt8(truncatingIfNeeded: 0xFF00 >> (width & 7))
        }
    }
}
