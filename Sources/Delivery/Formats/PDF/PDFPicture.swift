import Imaging

/// A page's picture as it goes into a PDF.
struct PDFPicture {
    let width: Int
    let height: Int
    /// Colour components: 1 or 3.
    let components: Int
    /// True for CCITT Group 4, false for JPEG.
    let isBilevel: Bool
    let bytes: [UInt8]

    /// The picture: the JPEG it was captured as, byte for byte, where there is one and it fits; else Group 4 for
    /// bilevel, and a JPEG for the rest.
    ///
    /// - Parameter quality: As in ``FileSinkOptions/pdfQuality``.
    init(_ page: DeliveredPage, quality: Int) throws {
        let image = page.image
        width = image.width
        height = image.height
        if let original = page.originalJPEG, let head = JPEGHeader(original),
            head.canStandFor(width: width, height: height)
        {
            components = head.components
            isBilevel = false
            bytes = original
            return
        }
        components = image.format.channels
        isBilevel = image.format == .bilevel
        let quality = quality > 0 ? quality : components == 1 ? 50 : 70
        bytes =
            isBilevel ? try image.encodedG4().bytes : try image.encodedJPEG(quality: quality)
    }
}
