/// The options for writing a document to files.
public struct FileSinkOptions: Hashable, Sendable {
    /// Quality of the pictures in a PDF, 1…100, or 0 to choose by the picture: 50 for gray and 70
    /// for color.
    ///
    /// The default is 0.
    ///
    /// At 50, a page of gray text at 300 dpi looks clean and takes 0.6 MB; a noisy one takes 0.7
    /// MB.
    public var pdfQuality: Int
    /// The settings of a PDF; by default with JPEGs and without a password.
    public var pdf: PDFOptions
    /// Quality of `.jpg` files, 1…100; 85 by default.
    public var jpegQuality: Int
    /// Quality of `.webp` files, 1…100; 80 by default.
    public var webpQuality: Int
    /// True if the pages of a `.tiff` are compressed, always without loss; true by default.
    public var compressesTIFF: Bool
    /// The folder in which encoded pages of a PDF wait until the document is complete; the
    /// document's own folder when nil.
    public var spoolFolder: String?

    /// Options; values out of range are clipped.
    public init(
        pdfQuality: Int = 0, pdf: PDFOptions = PDFOptions(), jpegQuality: Int = 85,
        webpQuality: Int = 80,
        compressesTIFF: Bool = true, spoolFolder: String? = nil
    ) {
        self.pdfQuality = min(max(pdfQuality, 0), 100)
        self.pdf = pdf
        self.jpegQuality = min(max(jpegQuality, 1), 100)
        self.webpQuality = min(max(webpQuality, 1), 100)
        self.compressesTIFF = compressesTIFF
        self.spoolFolder = spoolFolder
    }
}
