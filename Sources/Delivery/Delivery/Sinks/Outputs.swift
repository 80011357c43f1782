import Archive
import FoundationEssentials

/// The sinks of a job that have no name: files, and archives.
public enum Outputs {
    /// The sink for an output on the command line: `archive:` and a folder is that archive,
    /// `archive:` alone the user's own, anything else a file.
    ///
    /// A file with such a name is written `./archive:…`.
    ///
    /// - Parameter fileOptions: options of a file.
    /// - Throws: ``DeliveryError``.
    public static func sink(
        for output: String, fileOptions: FileSinkOptions = FileSinkOptions()
    ) throws -> any Sink {
        guard ArchiveSink.isMeant(by: output) else {
            return try FileSink(path: output, options: fileOptions)
        }
        let folder = String(output.dropFirst(ArchiveSink.mark.count))
        let environment = ProcessInfo.processInfo.environment
        return ArchiveSink(
            folder: try folder.isEmpty ? Archive.standardPlace(environment: environment) : folder)
    }
}
