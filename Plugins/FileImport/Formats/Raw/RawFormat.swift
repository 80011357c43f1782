extension ImportFormat {
    /// The raw pictures of cameras.
    static let raw = Self(
        name: "camera raw", example: "DNG",
        usualExtensions: [
            "dng", "cr2", "cr3", "crw", "nef", "nrw", "arw", "srf", "sr2", "orf", "rw2", "raf",
            "pef", "srw", "x3f", "mrw", "3fr", "iiq", "erf", "kdc", "dcr",
        ],
        isHead: { RawKind.isKnown($0) },
        isContent: { (file) throws(DecodeFault) in try RawKind.isTIFF(file) },
        open: picture(decodeRaw))
}
