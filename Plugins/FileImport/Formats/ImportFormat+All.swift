extension ImportFormat {
    /// Every format, in the order in which files are compared with them.
    ///
    /// A new format is a file in a folder beside this one, and a line here. The order matters:
    /// some raw pictures begin like a TIFF file, and an AVIF file may claim to be a HEIC one too.
    /// A PDF may have anything before its header.
    static let all: [ImportFormat] = [
        jpeg,
        png,
        raw,
        tiff,
        pnm,
        webp,
        avif,
        heic,
        gif,
        bmp,
        jpeg2000,
        jpegXL,
        pdf,
    ]
}
