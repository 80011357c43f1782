extension ImportFormat {
    static let bmp = Self(
        name: "BMP", usualExtensions: ["bmp", "dib"], isHead: { BMPHeader.isHead($0) },
        open: picture(decodeBMP))
}
