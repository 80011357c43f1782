public import Documents
import ExpectedFailures
import Glibc
import GuardedFiles

/// Writes documents to a file; the ending of its path chooses the format.
///
/// A document appears under its name complete and durable, or not at all: it is written under a
/// hidden temporary name in the same folder, synced, and then renamed. An existing file is never
/// replaced. If a file with that name appears meanwhile, the document gets the next unused name
/// (`May-2.pdf`), which the receipt contains.
///
/// Formats with one file per page (``FileFormat/isOneFileAPage``) use the names `May-001.png`,
/// `May-002.png` and so on; a single page is `May.png`.
///
///     let writer = try FileSink(path: "May.pdf").begin(info)
///     try writer.add(page)
///     print(try writer.finish().locations)  // ["May.pdf"]
public struct FileSink: ReplacingSink {
    /// The given path.
    public let name: String
    /// The format, according to the path's ending.
    public var format: FileFormat { file.format }

    private let file: FileName
    private let options: FileSinkOptions
    private let disk: Disk
    private var earlier: EarlierDelivery?
    private var yields = false

    /// A sink for one document.
    ///
    /// - Parameter path: Where to; absolute, or from the current folder.
    /// - Throws: ``DeliveryError``: `unknownFormat`, and `invalidOption` for options that
    ///   contradict each other.
    public init(path: String, options: FileSinkOptions = FileSinkOptions()) throws(DeliveryError) {
        try self.init(path: path, options: options, disk: .live)
    }

    init(path: String, options: FileSinkOptions, disk: Disk) throws(DeliveryError) {
        name = path
        file = try FileName(path: path)
        try options.pdf.check()
        self.options = options
        self.disk = disk
    }

    /// A sink that uses the next unused name even if its own is in use from the start, because no
    /// person can choose another.
    public func yielding() -> FileSink {
        var sink = self
        sink.yields = true
        return sink
    }

    /// The sink for the next state of a document; see ``ReplacingSink``.
    public func replacing(_ earlier: EarlierDelivery) -> any Sink {
        var sink = self
        sink.earlier = earlier
        if let linked = linkedState(earlier.linked) { sink.earlier?.states.append([linked]) }
        return sink
    }

    /// The spooled file with one of the document's names, which a process linked just before it
    /// ended; nil for none.
    private func linkedState(_ spooled: [String]) -> DeliveredFile? {
        let known = spooled.compactMap { path -> ino_t? in
            GuardedFolder.status(at: path).flatMap { $0.st_nlink > 1 ? $0.st_ino : nil }
        }
        guard !known.isEmpty,
            let folder = reportedLater({
                try OutputFolder(path: file.folder, for: file.stem, disk: disk)
            })
        else { return nil }
        return (1...100).lazy
            .compactMap { folder.delivered(file.names(count: 1, attempt: $0)[0]) }
            .first { known.contains(ino_t($0.inode)) }
    }

    /// The reason why none of these states of the document can be replaced; see ``ReplacingSink``.
    public func obstacle(to states: [[DeliveredFile]]) -> ReplacementObstacle? {
        let place = reportedLater {
            try OutputFolder(path: file.folder, for: file.stem, disk: disk)
        }
        guard let folder = place else { return .gone }
        if folder.standing(states) != nil { return nil }
        let names = states.joined().map(\.name)
        return names.allSatisfy { folder.delivered($0) != nil } ? .changed : .gone
    }

    /// Begins the document.
    ///
    /// - Throws: ``DeliveryError``: `folderMissing`, `permissionDenied`, `alreadyExists`,
    ///   `noSpace`.
    public func begin(_ info: DocumentInfo) throws -> any SinkWriter {
        let shown = file.stem + file.ending
        let folder = try OutputFolder(path: file.folder, for: shown, disk: disk)
        let isContinued = earlier.map { !$0.states.isEmpty } ?? false
        let taken =
            format.isOneFileAPage
            ? [shown, file.names(count: 2, attempt: 1)[0]] : [shown]
        // A document that was delivered before goes to a free name where it can't take its own
        // place.
        for name in taken where try !isContinued && !yields && folder.holds(name) {
            throw DeliveryError(
                .alreadyExists,
                "'\(joined(file.folder, name))' already exists, and is never overwritten. "
                    + "Choose another name, or move the old file away.")
        }
        let spoolFolder =
            try options.spoolFolder.map { path throws(DeliveryError) in
                try OutputFolder(path: path, for: shown, disk: disk)
            } ?? folder
        let context = FormatContext(
            folder: folder, spoolFolder: spoolFolder, name: shown, info: info, options: options)
        return try FileWriter(sink: name, file: file, context: context, earlier: earlier)
    }
}
