/// The media types of files that the archive keeps.
enum KeptMedia {
    /// What the archive is given: no browser runs anything in these.
    private static let known: Set = ["image/jpeg", "image/png", "image/tiff", "application/pdf"]

    /// The header with the type of a kept file.
    ///
    /// An archive that someone else has made may call a page of HTML a picture, and a browser would
    /// show it as a page of this host; such a file is only bytes.
    static func header(_ media: String) -> (name: String, value: String) {
        ("Content-Type", known.contains(media) ? media : "application/octet-stream")
    }
}
