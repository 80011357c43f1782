/// The catalog of every kind of sink.
///
/// A new one is a file in `Sinks/` and a line here.
public enum SinkCatalog {
    /// The kinds, in the order in which they are listed.
    public static let kinds: [SinkKind] = [
        FileSink.kind,
        ArchiveSink.kind,
    ]

    /// The sink for an output on the command line: `archive:` and a folder is that archive,
    /// anything else a file.
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
        return try ArchiveSink.kind.sink(to: String(output.dropFirst(ArchiveSink.mark.count)))
    }

    /// The kind with that name.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption`, with the nearest name.
    public static func kind(_ name: String) throws(DeliveryError) -> SinkKind {
        if let kind = kinds.first(where: { $0.name == name }) { return kind }
        throw DeliveryError(
            .invalidOption, unknownName(name, what: "kind of sink", kinds.map(\.name)))
    }
}
