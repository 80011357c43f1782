extension ImportFormat {
    /// JPEG XL, in a file of its own or as a bare codestream.
    static let jpegXL = Self(
        name: "JPEG XL", usualExtensions: ["jxl"],
        isHead: { head in
            head.starts(with: signatureBox("JXL ")) || head.starts(with: [0xFF, 0x0A])
        },
        open: picture(decodeJPEGXL))
}
