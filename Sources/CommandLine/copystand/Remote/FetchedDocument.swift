import Delivery
import HostClient

extension NewFile: FetchedFile {}

extension HostConnection {
    /// Refuses a path early if ``fetch(_:to:pages:keepsBlankPages:pdf:)`` could not write to it.
    ///
    /// - Throws: `DeliveryError`, for example for an existing file.
    static func checkOutput(_ path: String) throws { try NewFile.check(path) }

    /// Fetches a document from the host's archive as a file, completely or not at all.
    ///
    /// It blocks. The path's ending chooses the format. An existing file is never replaced.
    ///
    /// - Parameters:
    ///   - pages: the pages to write, such as `2,5` or `3-7`; nil for all.
    ///   - pdf: the settings of a PDF, as names in the query of the host's `export`.
    /// - Returns: the path, which is the next free one if a file with that name has appeared, and
    ///   the bytes.
    /// - Throws: `HostFailure`; `DeliveryError` when the file can't be written on this machine.
    func fetch(
        _ document: Int64, to path: String, pages: String? = nil, keepsBlankPages: Bool = false,
        pdf: [(name: String, value: String)] = []
    ) throws -> (path: String, bytes: Int) {
        let format = try NewFile.check(path)
        return try fetch(
            document, as: format.name, pages: pages, keepsBlankPages: keepsBlankPages,
            pdf: format == .pdf ? pdf : [], to: path
        ) { try NewFile(path: path) }
    }

    /// Fetches an original file of an imported document, unchanged.
    ///
    /// - Parameter number: the number of the original, from 1.
    /// - Returns: the path and the bytes, as ``fetch(_:to:pages:keepsBlankPages:pdf:)`` does.
    /// - Throws: the errors of that function.
    func fetch(
        original number: Int, of document: Int64, to path: String
    ) throws -> (path: String, bytes: Int) {
        try fetch(original: number, of: document, to: path) { try NewFile(path: path) }
    }
}
