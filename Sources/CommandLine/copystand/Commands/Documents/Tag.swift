import Archive
import CommandLine
import Documents

/// `copystand tag`: adds tags to documents.
enum TagCommand {
    static let tags = Argument(
        "TAG", .oneOrMore, .name, help: "The tags to add.", completion: .dynamic("tags"))
    static let remove = Option(
        "remove", short: "r", value: "TAG", .name, help: "Remove this tag.", isRepeated: true,
        completion: .dynamic("tags"), waivesArguments: true)

    static let command = Command(
        name: "tag", summary: "Add tags to an archived document, or remove them",
        discussion:
            "Find documents by tag with 'copystand search tag:NAME' and 'copystand list --tag NAME'.",
        examples: [
            Example("Two tags", "copystand tag 12 tax 2026"),
            Example("One instead of another", "copystand tag 12 paid --remove open"),
        ],
        arguments: [ArchiveOptions.id, tags], options: [remove, ArchiveOptions.folder],
        handler: handler { arguments, console in
            guard arguments.text(ArchiveOptions.id) != nil else {
                throw UsageError(.missingArgument, argument: "ID", path: arguments.path)
            }
            let id = ArchiveOptions.document(arguments)
            let actions =
                arguments.texts(remove).map { ReviewAction.removeTag($0) }
                + arguments.texts(tags).map { ReviewAction.addTag($0) }
            let review = try await withArchive(arguments, .readWrite) {
                try $0.perform(actions, on: id)
            }
            console.say(
                review.tags.isEmpty
                    ? "Document \(id) has no tags." : "Tags: \(review.tags.joined(separator: ", "))"
            )
            return .done
        })
}
