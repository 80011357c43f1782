extension ImportFormat {
    /// JPEG 2000, in a file of its own or as a bare codestream.
    static let jpeg2000 = Self(
        name: "JPEG 2000", usualExtensions: ["jp2", "j2k", "jpf", "jpx", "j2c", "jpc"],
        isHead: { head in
            // A bare codestream begins with its marker and the marker of its size (T.800, A.4.1).
            head.starts(with: signatureBox("jP  ")) || head.starts(with: [0xFF, 0x4F, 0xFF, 0x51])
        },
        open: picture(decodeJPEG2000))
}
