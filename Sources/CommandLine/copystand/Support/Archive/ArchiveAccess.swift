import BlockingWork
import Archive
import CommandLine
import Delivery
import FoundationEssentials

/// The options and arguments of the commands that use the archive.
enum ArchiveOptions {
    /// `--archive PLACE`.
    static let folder = Option(
        "archive", value: "PLACE", .path,
        help:
            "The archive's folder, or its database, such as postgresql://db/scans; ~/.local/share/copystand unless given.",
        completion: .folders)
    /// `ID`.
    static let id = Argument(
        "ID", .one, .integer(1...Int.max),
        help: "The document, as 'copystand list' and 'copystand search' number it.",
        completion: .dynamic("documents"))
    /// `ID...`.
    static let ids = Argument(
        "ID", .oneOrMore, .integer(1...Int.max),
        help: "The documents, as 'copystand list' and 'copystand search' number them.",
        completion: .dynamic("documents"))
    /// `ID...` of documents in the trash.
    static let trashedIDs = Argument(
        "ID", .oneOrMore, .integer(1...Int.max),
        help: "The documents, as 'copystand list --trash' numbers them.",
        completion: .dynamic("trashed"))
    /// `--type TYPE`.
    static let type = Option(
        "type", value: "TYPE",
        .choice(["contract", "invoice", "receipt", "report", "form", "other"]),
        help: "Only documents of this type.")
    /// `--tag TAG`.
    static let tag = Option(
        "tag", value: "TAG", .name, help: "Only documents with this tag.", isRepeated: true,
        completion: .dynamic("tags"))
    /// `--since DATE`.
    static let since = Option(
        "since", value: "DATE", .name,
        help: "Only documents scanned on that day or later, such as 2026-05-17, 2026-05 or 2026.")
    /// `--before DATE`.
    static let before = Option(
        "before", value: "DATE", .name, help: "Only documents scanned before that day.")

    /// The place a command line names, or the user's own folder.
    static func folder(_ arguments: ParsedArguments) throws -> String {
        try arguments.text(folder)
            ?? Archive.standardPlace(environment: ProcessInfo.processInfo.environment)
    }

    /// The document a command line names.
    static func document(_ arguments: ParsedArguments) -> DocumentID {
        DocumentID(rawValue: arguments.text(id).flatMap { Int64($0) } ?? 0)
    }

    /// Every document a command line names.
    static func documents(_ arguments: ParsedArguments) -> [DocumentID] {
        arguments.texts(ids).compactMap { Int64($0) }.map { DocumentID(rawValue: $0) }
    }
}

/// Opens the archive that a command line names and runs `body` with it, off the cooperative pool:
/// disks and locks block.
func withArchive<Value: Sendable>(
    _ arguments: ParsedArguments, _ access: Archive.Access,
    _ body: @escaping @Sendable (Archive) throws -> Value
) async throws -> Value {
    let folder = try ArchiveOptions.folder(arguments)
    if access != .readOnly, let notice = Archive.ownerNotice(of: folder) { Console().warn(notice) }
    return try await onOwnThread { try body(Archive.open(folder, access)) }
}
