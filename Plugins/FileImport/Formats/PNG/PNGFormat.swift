extension ImportFormat {
    static let png = Self(
        name: "PNG", usualExtensions: ["png"],
        isHead: { $0.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) },
        open: picture(decodePNG))
}
