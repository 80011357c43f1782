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
            What is in the trash is neither listed nor found, and can be restored until the trash \
            is emptied. The space of \
            their pictures is free again after 'copystand archive compact'.
            """,
        examples: [
            Example("Away with two", "copystand trash 12 13"),
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
