import CaptureKit

/// A page that was decoded completely, with packed rows.
///
/// Pages are sent only when they are complete: a page that turns out to be damaged must not leave
/// the host with half a frame.
struct DecodedPage: Sendable {
    /// The layout of the samples.
    let format: FrameFormat
    /// Pixels in a row.
    let width: Int
    /// Rows.
    let height: Int
    /// The packed rows.
    let pixels: PixelBuffer
    /// Dots per inch, if the file names them.
    var resolution: Resolution?
    /// The page's own JPEG, if it has the same pixels as the frame.
    var original: EncodedOriginal?
    /// The page's own text, with the places of its words in pixels.
    var text: FrameText?
    /// The number of the file's page, from 1, and the part of it that this picture shows; nil if
    /// the file must not be sent to the host.
    var source: (page: Int, area: [Double]?)?
    /// Problems that did not lose the page, in sentences for people.
    var problems: [String] = []

    /// The damage of a page that was read as far as possible; nil for none.
    var damage: String?
    /// True for the first picture of a file that shows several in turn.
    var isAnimation = false
    /// The certain facts in the page's file.
    var facts = PageFacts()

    /// Bytes from one row to the next.
    var stride: Int { format.minimumStride(width: width) }

    /// A page of black (bilevel: white) pixels to be filled.
    ///
    /// - Precondition: the format is not one for live frames only.
    /// - Throws: ``DecodeFault`` `tooLarge` beyond `limits`; `outOfMemory`.
    init(format: FrameFormat, width: Int, height: Int, limits: ImportLimits) throws(DecodeFault) {
        try limits.check(
            width: width, height: height, bytesPerPixel: (format.bitsPerPixel + 7) / 8, format)
        precondition(!format.isLiveOnly, "no file is decoded to \(format)")
        self.format = format
        self.width = width
        self.height = height
        pixels = try PixelBuffer(byteCount: format.minimumStride(width: width) * height)
    }

    /// The bytes of row `y`.
    func row(_ y: Int) -> UnsafeMutableRawBufferPointer { pixels.row(y, length: stride) }
}
