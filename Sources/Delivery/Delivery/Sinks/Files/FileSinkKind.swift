extension FileSink {
    /// The kind `file`, as the catalog has it.
    static let kind = SinkKind(
        name: "file",
        summary: "Writes the document to a file; an existing file is never overwritten.",
        target: "a path that ends in "
            + FileFormat.allCases.flatMap(\.endings).joined(separator: ", "),
        options: [
            SinkOption(
                name: "pdf-quality",
                summary: "Quality of pictures in a PDF; 0 chooses 50 for gray and 70 for color.",
                range: 0...100, defaultValue: FileSinkOptions().pdfQuality),
            SinkOption(
                name: "pdf-compression",
                summary:
                    "0 keeps the pictures of a PDF as JPEG, 1 without loss, 2 in layers (mixed raster content).",
                range: 0...PDFOptions.Compression.allCases.count - 1, defaultValue: 0),
            SinkOption(
                name: "pdf-a", summary: "0 writes a plain PDF, 1 a PDF/A-2b for archives.",
                range: 0...1, defaultValue: 0),
            SinkOption(
                name: "jpeg-quality", summary: "Quality of .jpg files.",
                range: 1...100, defaultValue: FileSinkOptions().jpegQuality),
            SinkOption(
                name: "webp-quality", summary: "Quality of .webp files.",
                range: 1...100, defaultValue: FileSinkOptions().webpQuality),
            SinkOption(
                name: "tiff-compression",
                summary:
                    "0 writes the pixels of a .tiff as they are, 1 compresses them without loss.",
                range: 0...1, defaultValue: 1),
        ]
    ) { target, values in
        var options = FileSinkOptions()
        options.pdfQuality = values["pdf-quality"] ?? options.pdfQuality
        options.pdf.compression = PDFOptions.Compression.allCases[values["pdf-compression"] ?? 0]
        options.pdf.archival = values["pdf-a"] == 1 ? .pdfA2b : nil
        options.jpegQuality = values["jpeg-quality"] ?? options.jpegQuality
        options.webpQuality = values["webp-quality"] ?? options.webpQuality
        options.compressesTIFF = values["tiff-compression"] != 0
        return try FileSink(path: target, options: options)
    }
}
