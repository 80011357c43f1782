extension ImportFormat {
    /// AVIF (HEIF with AV1).
    static let avif = Self(
        name: "AVIF", article: "an", usualExtensions: ["avif"],
        isHead: { head in
            hasBrand(head, ["avif", "avis"])
                // The short form of AVIF has its kind in the place of the version (ISO/IEC
                // 23008-12:2025).
                || head.count >= 16 && head[4..<16].elementsEqual(ascii("ftypmif3avif"))
        },
        open: openHEIF)
}
