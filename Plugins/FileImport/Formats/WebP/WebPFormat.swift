extension ImportFormat {
    static let webp = Self(
        name: "WebP", usualExtensions: ["webp"],
        isHead: { head in
            head.count >= 12 && head.starts(with: ascii("RIFF"))
                && head[8..<12].elementsEqual(ascii("WEBP"))
        },
        open: picture(decodeWebP))
}
