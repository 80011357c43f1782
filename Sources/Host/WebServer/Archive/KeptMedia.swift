/// The media types of files that the archive keeps.
enum KeptMedia {
    /// The types that the archive accepts; no browser runs anything in them.
    private static let known: Set = ["image/jpeg", "image/png", "image/tiff", "application/pdf"]

    /// The header with the type of a kept file.
    ///
    /// An archive from someone else may call a page of HTML a picture, and a browser would
    /// show it as a page of this host; such a file is only bytes.
    static func header(_ media: String) -> (name: String, value: String) {
        ("Content-Type", known.contains(media) ? media : "application/octet-stream")
    }
}
