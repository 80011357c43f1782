import ProgramFiles

/// The web page's files, which are part of the program.
package enum PageFiles {
    /// A file of the page.
    package struct File: Sendable {
        /// The path below `files`.
        package let name: String
        /// The media type.
        package let type: String
        package let bytes: [UInt8]
        /// The compressed file, for browsers that support it: a quarter of the size on the wire.
        package let packed: [UInt8]?
    }

    /// All files.
    package static let all = ProgramFiles.below("Sources/Host/WebPage/files").map {
        File(
            name: $0.path, type: types[endingOf($0.path)] ?? "", bytes: $0.bytes,
            packed: gzipped($0.bytes))
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "json": "application/json", "svg": "image/svg+xml",
        "png": "image/png", "webmanifest": "application/manifest+json",
    ]

    private static func endingOf(_ name: String) -> String {
        String(name.split(separator: ".").last ?? "")
    }
}
