import Archive
import CommandLine
import Documents
import Listings
import FoundationEssentials

/// `copystand edit`: changes the metadata and text of an archived document.
enum EditCommand {
    static let title = Option("title", short: "t", value: "TITLE", help: "Set the title.")
    static let type = Option(
        "type", value: "TYPE", .choice(DocumentType.allCases.map(\.rawValue)), help: "Set the type."
    )
    static let note = Option("note", value: "TEXT", help: "Set the note; '' for none.")
    static let owner = Option(
        "owner", value: "NAME",
        help: "Give it to another owner; '' for everyone. --undo does not undo this.")
    static let field = Option(
        "field", value: "NAME=VALUE", .pair, help: "Set a field; an empty value removes it.",
        isRepeated: true)
    static let text = Option(
        "text", value: "PAGE FILE", .path,
        help: "Correct a page's text with that of a file; - is standard input.", isRepeated: true)
    static let addEntry = Option(
        "add-entry", value: "NAME=VALUE", .pair,
        help: "Add an entry, such as an item on an invoice, with a field.", isRepeated: true)
    static let entryPage = Option(
        "entry-page", value: "PAGE", .integer(1...1_000_000),
        help: "The page of the added entries.")
    static let entry = Option(
        "entry", value: "N NAME=VALUE", .name, help: "Set a field of an entry.", isRepeated: true)
    static let deleteEntry = Option(
        "delete-entry", value: "N", .integer(1...1_000_000), help: "Delete an entry.",
        isRepeated: true)
    static let selectEntry = Option(
        "select-entry", value: "N", .integer(1...1_000_000),
        help: "Select an entry, for --delete-selected or another program.", isRepeated: true)
    static let deselectEntry = Option(
        "deselect-entry", value: "N", .integer(1...1_000_000),
        help: "Deselect an entry.", isRepeated: true)
    static let deleteSelected = Option(
        flag: "delete-selected", help: "Delete the selected entries and pages.",
        excludes: ["delete-entry"])
    static let reviewed = Option(flag: "reviewed", help: "Mark the document as reviewed.")

    static let command = Command(
        name: "edit", summary: "Change an archived document's title, type, note, fields and text",
        discussion: """
            All changes of one command count as one, which 'copystand pages ID --undo' undoes. \
            Corrected words keep their places on the page.

            With --json the result is the document as 'copystand show --json' prints it.
            """,
        examples: [
            Example("Set the type and the title", "copystand edit 12 --type invoice --title Rent"),
            Example("Set a field", "copystand edit 12 --field serial=XK-77"),
            Example("Correct page 2", "copystand edit 12 --text 2 page2.txt"),
        ],
        arguments: [ArchiveOptions.id],
        options: [
            title, type, note, owner, field, text, addEntry, entryPage, entry, deleteEntry,
            selectEntry,
            deselectEntry, deleteSelected, reviewed,
            SharedOptions.json, ArchiveOptions.folder,
        ],
        handler: handler { arguments, console in
            let id = ArchiveOptions.document(arguments)
            let document = try await withArchive(arguments, .readWrite) { archive in
                let actions = try actions(id, arguments, archive)
                let newOwner = arguments.text(owner)
                guard !actions.isEmpty || newOwner != nil else {
                    throw UsageError(
                        .refused("names nothing to change: add --title, --type or another option"),
                        argument: "edit \(id)", path: arguments.path)
                }
                try archive.perform(actions, owner: newOwner, on: id)
                return try archive.document(id)
            }
            if arguments.isGiven(SharedOptions.json) {
                try console.json(WholeDocumentJSON(document, withText: false))
            } else {
                console.say(
                    "Document \(id): \(document.summary.title) (\(document.summary.type.rawValue))")
            }
            return .done
        })

    private static func actions(
        _ id: DocumentID, _ arguments: ParsedArguments, _ archive: Archive
    ) throws -> [ReviewAction] {
        var actions: [ReviewAction] = []
        if let title = arguments.text(title) { actions.append(.setTitle(title)) }
        if let type = arguments.text(type) {
            actions.append(.setType(try SearchQuery.type(named: type)))
        }
        if let note = arguments.text(note) { actions.append(.setNote(note)) }
        for pair in arguments.pairs(field) {
            actions.append(
                .setField(
                    name: pair.name, value: pair.value.isEmpty ? nil : pair.value, source: nil))
        }
        for pair in arguments.pairs(addEntry) {
            let page = try arguments.text(entryPage).map { number in
                try PageEdits(
                    review: try archive.document(id, withText: false).review, path: arguments.path
                ).page(number, entryPage)
            }
            actions.append(
                .addEntry(page: page, fields: [Field(name: pair.name, value: pair.value)]))
        }
        for value in arguments.texts(entry) {
            let parts = value.split(separator: " ", maxSplits: 1).map(String.init)
            guard parts.count == 2, let number = Int(parts[0]), let pair = NamedValue(parts[1])
            else {
                throw UsageError(
                    .invalidValue(value, expected: "an entry's number and NAME=VALUE"),
                    argument: entry.spelling, path: arguments.path)
            }
            actions.append(
                .setEntryField(
                    entry: number, name: pair.name, value: pair.value.isEmpty ? nil : pair.value))
        }
        let selected = arguments.texts(selectEntry).compactMap { Int($0) }
        if !selected.isEmpty { actions.append(.selectEntries(selected)) }
        let deselected = arguments.texts(deselectEntry).compactMap { Int($0) }
        if !deselected.isEmpty { actions.append(.deselectEntries(deselected)) }
        if arguments.isGiven(deleteSelected) { actions.append(.deleteSelected) }
        let deleted = arguments.texts(deleteEntry).compactMap { Int($0) }
        if !deleted.isEmpty {
            actions += [.deselectAll, .selectEntries(deleted), .deleteSelected]
        }
        for value in arguments.texts(text) {
            actions.append(try correction(value, id, arguments: arguments, archive: archive))
        }
        if arguments.isGiven(reviewed) { actions.append(.save) }
        return actions
    }

    private static func correction(
        _ value: String, _ id: DocumentID, arguments: ParsedArguments, archive: Archive
    ) throws -> ReviewAction {
        let parts = value.split(separator: " ", maxSplits: 1).map(String.init)
        let review = try archive.document(id, withText: false).review
        let order = PageEdits(review: review, path: arguments.path)
        let wanted = try order.page(parts[0], text)
        guard parts.count == 2, let page = review.pages.first(where: { $0.id == wanted }) else {
            throw UsageError(
                .missingValue(name: "PAGE FILE", next: nil), argument: text.spelling,
                path: arguments.path)
        }
        let place = parts[1] == "-" ? "/dev/stdin" : absolutePath(parts[1])
        let corrected: String
        do { corrected = try String(contentsOf: URL(filePath: place), encoding: .utf8) } catch {
            throw UsageError(
                .refused("can't be read: name a text file in UTF-8"), argument: parts[1],
                path: arguments.path)
        }
        return try archive.correction(of: page, to: corrected)
    }
}
