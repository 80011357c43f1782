/// A new file with given bytes: complete and durable under its name, or not there at all.
///
/// An existing file is never replaced. If one appears under the name in the meantime, this file
/// gets the next free name (`May-2.pdf`).
package final class NewFile {
    /// The number of bytes so far.
    package var count: Int { partial.count }
    private let name: FileName
    private let folder: OutputFolder
    private let partial: PartialFile

    /// Refuses early a path that could not be written at the end.
    ///
    /// - Returns: the format that the path's ending chooses.
    /// - Throws: ``DeliveryError``: `unknownFormat`, `folderMissing`, `permissionDenied`,
    ///   `alreadyExists`, or `unsupported` for a format with one file per page.
    @discardableResult
    package static func check(_ path: String) throws(DeliveryError) -> FileFormat {
        let (name, folder) = try place(path)
        try refuseTaken(name, in: folder)
        return name.format
    }

    /// Begins the file under a hidden name in the folder of `path`.
    ///
    /// - Throws: ``DeliveryError``.
    package init(path: String) throws(DeliveryError) {
        (name, folder) = try Self.place(path)
        partial = try PartialFile(name.stem + name.ending, in: folder)
    }

    /// Adds bytes at the end.
    package func append(_ bytes: UnsafeRawBufferPointer) throws(DeliveryError) {
        try partial.append(bytes)
    }

    /// Makes the file durable, and gives it its name.
    ///
    /// - Returns: the file's path.
    /// - Throws: ``DeliveryError``; nothing is left of the file then.
    package func finish() throws(DeliveryError) -> String {
        try partial.seal()
        for attempt in 1...Self.mostNames {
            let final = name.names(count: 1, attempt: attempt)[0]
            guard try partial.place(as: final) else { continue }
            do {
                try folder.sync()
            } catch {
                partial.withdraw()
                throw error
            }
            return joined(name.folder, final)
        }
        throw Self.taken(name)
    }

    private static let mostNames = 100

    private static func place(_ path: String) throws(DeliveryError) -> (FileName, OutputFolder) {
        let name = try FileName(path: path)
        guard !name.format.isOneFileAPage else {
            let endings = FileFormat.all.filter { !$0.isOneFileAPage }.flatMap(\.endings)
            throw DeliveryError(
                .unsupported,
                "'\(path)' would be one file per page, and a host sends only one file. Choose one of: \(endings.joined(separator: ", "))."
            )
        }
        return (
            name,
            try OutputFolder(path: name.folder, for: name.stem + name.ending, disk: .live)
        )
    }

    private static func refuseTaken(
        _ name: FileName, in folder: OutputFolder
    ) throws(DeliveryError) {
        if try folder.holds(name.stem + name.ending) { throw taken(name) }
    }

    private static func taken(_ name: FileName) -> DeliveryError {
        DeliveryError(
            .alreadyExists,
            "'\(joined(name.folder, name.stem + name.ending))' already exists, and is never overwritten. "
                + "Choose another name, or move the old file away.")
    }
}
