import Glibc

/// Chooses the paths for the imported files of an archived document.
public enum OriginalNames {
    /// The name of a file: its name at the import, or the document's title if that name is not one
    /// of a PDF.
    ///
    /// - Parameter id: The document's number in its archive.
    public static func name(of file: String, title: String, id: Int64) -> DocumentName {
        let last = file.split(separator: "/").last.map(String.init) ?? ""
        let isNamed = last.lowercased().hasSuffix(".pdf") && last.utf8.count > 4
        return DocumentName(
            title: isNamed ? String(last.dropLast(4)) : title, id: id, ending: "pdf")
    }

    /// The paths to write to, one for each file.
    ///
    /// - Parameters:
    ///   - files: the files' names at the import; at least one.
    ///   - output: A file for the only one, or a folder; nil for the working folder.
    /// - Throws: ``DeliveryError`` `unsupported` for one file of several, or one that is not called
    ///   a PDF; `alreadyExists`.
    public static func paths(
        for files: [String], title: String, id: Int64, in output: String?
    ) throws(DeliveryError) -> [String] {
        let names = files.map { name(of: $0, title: title, id: id) }
        var paths = names.map { $0.path(in: output) }
        if let output, !isFolder(output) {
            guard files.count == 1 else {
                throw DeliveryError(
                    .unsupported,
                    "The document comes from \(files.count) files. Name a folder for them, such as -o ."
                )
            }
            paths = [output]
        }
        for path in paths {
            guard try NewFile.check(path) == .pdf else {
                throw DeliveryError(
                    .unsupported,
                    "'\(path)' does not end with .pdf, and the original is a PDF. Choose a name that ends in .pdf."
                )
            }
        }
        return paths
    }

    /// The message for a document without one.
    public static func none(of id: Int64) -> DeliveryError {
        DeliveryError(
            .noSuchItem,
            "Document \(id) has no original file: the archive keeps only PDFs that were imported. Leave out --original to have the document as it is now."
        )
    }

    /// True if a path means a folder: it ends with a slash, or a folder exists there.
    public static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return path.hasSuffix("/")
            || stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
