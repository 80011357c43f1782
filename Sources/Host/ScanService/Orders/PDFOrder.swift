public import Delivery

/// The settings of a job's PDFs, including those for named sinks; nil values mean the defaults.
///
/// Passwords are never written to disk; a job only records that there were some. To continue it
/// later, they must be given again.
public struct PDFOrder: Codable, Hashable, Sendable {
    /// The compression of pictures.
    public var compression: PDFOptions.Compression?
    /// The quality of pictures, 1…100.
    public var quality: Int?
    /// The PDF/A form for archives.
    public var archival: PDFOptions.Archival?
    /// The passwords.
    public var protection: PDFProtection? {
        didSet { isProtected = isProtected || protection != nil }
    }
    /// True if a signed PDF may be changed, which breaks its signature; nil for no.
    public var breaksSignatures: Bool?
    /// True if the job was ordered with passwords.
    public private(set) var isProtected = false

    private enum CodingKeys: String, CodingKey {
        case compression, quality, archival, breaksSignatures, isProtected
    }

    /// The default settings.
    public init() {}

    /// The settings for a file.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption` when the passwords are missing, or settings
    ///   contradict each other.
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
        // Settings for the compression of pictures or for PDF/A need new pages.
        options.pdf.keepsPages = compression == nil && quality == nil && archival == nil
        options.pdf.breaksSignatures = breaksSignatures ?? false
        try options.pdf.check()
        return options
    }
}
