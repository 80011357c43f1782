public import Delivery

/// How the PDFs of a job are made, including those for named sinks; nil means the default.
///
/// Passwords are never written to disk, only the fact that there are some. To continue a job later,
/// they must be given again.
public struct PDFOrder: Codable, Hashable, Sendable {
    /// How pictures are coded.
    public var compression: PDFOptions.Compression?
    /// The quality of pictures, 1…100.
    public var quality: Int?
    /// The form for archives.
    public var archival: PDFOptions.Archival?
    /// The passwords.
    public var protection: PDFProtection? {
        didSet { isProtected = isProtected || protection != nil }
    }
    /// Whether a signed PDF is changed, which breaks its signature; nil for no.
    public var breaksSignatures: Bool?
    /// Whether there were passwords when the job was ordered.
    public private(set) var isProtected = false

    private enum CodingKeys: String, CodingKey {
        case compression, quality, archival, breaksSignatures, isProtected
    }

    /// Plain PDFs.
    public init() {}

    /// The same for a file.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption` when the passwords are missing, or something
    ///   contradicts itself.
    package func options() throws(DeliveryError) -> FileSinkOptions {
        guard !isProtected || protection != nil else {
            throw DeliveryError(
                .invalidOption,
                "This job's PDF needs a password, and passwords are never kept. Give it again with --pdf-password-file FILE or --pdf-owner-password-file FILE, as when the job began."
            )
        }
        var options = FileSinkOptions(pdfQuality: quality ?? 0)
        options.pdf.compression = compression ?? options.pdf.compression
        options.pdf.archival = archival
        options.pdf.protection = protection
        // Settings for the coding of pictures or for PDF/A require that the pages are made again.
        options.pdf.keepsPages = compression == nil && quality == nil && archival == nil
        options.pdf.breaksSignatures = breaksSignatures ?? false
        try options.pdf.check()
        return options
    }
}
