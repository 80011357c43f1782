import Archive
import CommandLine

/// `copystand trash`: puts documents into the trash, and empties it.
enum TrashCommand {
    static let empty: Option = {
        var option = Option(flag: "empty", help: "Delete everything in the trash for good.")
        option.waivesArguments = true
        return option
    }()

    static let command = Command(
        name: "trash", summary: "Put archived documents into the trash",
        discussion: """
            Documents in the trash are neither listed nor found, and can be restored until the \
            trash is emptied. 'copystand archive compact' then frees the space of their pictures.
            """,
        examples: [
            Example("Remove two", "copystand trash 12 13"),
            Example("Delete what is in the trash for good", "copystand trash --empty"),
        ],
        arguments: [ArchiveOptions.ids], options: [empty, ArchiveOptions.folder],
        handler: handler { arguments, console in
            let ids = ArchiveOptions.documents(arguments)
            let isEmptied = arguments.isGiven(empty)
            let gone = try await withArchive(arguments, .readWrite) { archive in
                for id in ids { try archive.trash(id) }
                return isEmptied ? try archive.emptyTrash() : []
            }
            if !ids.isEmpty, !isEmptied {
                console.say(
                    "In the trash: \(ids.map(\.description).joined(separator: ", ")). Bring back with: copystand restore \(ids[0])"
                )
            }
            if isEmptied { console.say("Deleted \(counted(gone.count, "document")) for good.") }
            return .done
        })
}
