extension ImportFormat {
    static let pdf = Self(
        name: "PDF", usualExtensions: ["pdf"],
        // Readers accept a PDF header anywhere in the first 1,024 bytes (ISO 32000-1, annex H,
        // note 13).
        isHead: { contains($0, ascii("%PDF-")) },
        open: { (file, settings, limits) throws(DecodeFault) in
            try PDFSource(file: file, settings: settings, limits: limits)
        })
}
