extension ImportFormat {
    static let gif = Self(
        name: "GIF", usualExtensions: ["gif"],
        isHead: { $0.starts(with: ascii("GIF87a")) || $0.starts(with: ascii("GIF89a")) },
        open: picture(decodeGIF))
}
