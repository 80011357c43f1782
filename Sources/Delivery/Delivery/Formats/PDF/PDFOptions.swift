/// The settings of a PDF, except for the quality of pictures.
public struct PDFOptions: Hashable, Sendable {
    /// The compression of pictures.
    public enum Compression: String, Codable, CaseIterable, Hashable, Sendable {
        /// JPEG for gray and color; bilevel without loss.
        case jpeg
        /// Lossless: deflated, or Group 4 for bilevel. A captured JPEG stays that JPEG.
        case lossless
        /// Letters as sharp stencils over a coarse background (mixed raster content); a page that
        /// would lose detail stays a JPEG.
        case mixed
    }

    /// The requested form for archives.
    public enum Archival: String, Codable, CaseIterable, Hashable, Sendable {
        /// PDF/A-2b (ISO 19005-2): looks the same forever.
        case pdfA2b = "2b"
    }

    /// The compression of pictures; `jpeg` by default.
    public var compression = Compression.jpeg
    /// The form for archives; by default nil, for a plain PDF.
    public var archival: Archival?
    /// The document's passwords; nil by default, for a document that everyone may open.
    public var protection: PDFProtection?

    /// True if unchanged pages from PDFs are kept; true by default.
    public var keepsPages = true
    /// True if a signed PDF may be changed, which breaks its signature; false by default: such a
    /// PDF is copied.
    public var breaksSignatures = false

    /// A plain PDF with JPEGs.
    public init() {}

    /// Refuses options that contradict each other.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption`.
    public func check() throws(DeliveryError) {
        guard let protection else { return }
        guard archival == nil else {
            throw DeliveryError(
                .invalidOption,
                "A PDF/A can't have a password: ISO 19005 forbids encryption. Leave out one of the two."
            )
        }
        try protection.check()
    }
}

/// The passwords of a PDF, which is encrypted with AES and a key of 256 bits (ISO 32000-2, 7.6.4,
/// revision 6).
///
/// Printing it shows no password.
public struct PDFProtection: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The password for opening the document; nil for a document that everyone may open and read,
    /// but not change.
    public var password: String?
    /// The password that lifts every restriction; nil to use `password`, which then restricts
    /// nothing.
    public var ownerPassword: String?

    /// Passwords of 1 to 127 bytes of UTF-8 each, in one line.
    public init(password: String?, ownerPassword: String? = nil) {
        self.password = password
        self.ownerPassword = ownerPassword
    }

    /// A description without the passwords.
    public var description: String { "(passwords, not shown)" }
    /// A description without the passwords.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    fileprivate func check() throws(DeliveryError) {
        let passwords = [password, ownerPassword].compactMap { $0 }
        guard !passwords.isEmpty else {
            throw DeliveryError(.invalidOption, "A PDF is to be protected, but without a password.")
        }
        for password in passwords {
            // ISO 32000-2, 7.6.4.3.3, cuts longer ones, so the rest would protect nothing.
            guard (1...127).contains(password.utf8.count) else {
                throw DeliveryError(
                    .invalidOption,
                    "A password of a PDF has 1 to 127 bytes, not \(password.utf8.count). Choose another."
                )
            }
            guard
                !password.unicodeScalars.contains(where: {
                    $0.properties.generalCategory == .control
                })
            else {
                throw DeliveryError(
                    .invalidOption,
                    "A password of a PDF may not contain control characters. Give it in one line.")
            }
        }
    }
}
