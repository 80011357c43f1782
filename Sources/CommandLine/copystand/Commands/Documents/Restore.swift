import Archive
import CommandLine

/// `copystand restore`: takes documents out of the trash.
enum RestoreCommand {
    static let command = Command(
        name: "restore", summary: "Take archived documents out of the trash",
        discussion: "'copystand list --trash' lists what can be restored.",
        examples: [Example("Bring one back", "copystand restore 12")],
        arguments: [ArchiveOptions.trashedIDs], options: [ArchiveOptions.folder],
        handler: handler { arguments, console in
            let ids = ArchiveOptions.documents(arguments)
            try await withArchive(arguments, .readWrite) { archive in
                for id in ids { try archive.restore(id) }
            }
            console.say("Restored: \(ids.map(\.description).joined(separator: ", ")).")
            return .done
        })
}
