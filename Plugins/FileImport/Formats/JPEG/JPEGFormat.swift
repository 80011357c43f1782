extension ImportFormat {
    static let jpeg = Self(
        name: "JPEG", usualExtensions: ["jpg", "jpeg", "jpe", "jfif"],
        isHead: { $0.starts(with: [0xFF, 0xD8, 0xFF]) }, open: picture(decodeJPEGFile))
}
