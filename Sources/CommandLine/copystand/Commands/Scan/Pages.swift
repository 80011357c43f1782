import Archive
import CommandLine
import Documents
import Listings

/// `copystand pages`: lists and changes the pages of an archived document.
enum PagesCommand {
    static let move = Option(
        "move", value: "PAGE PLACE", .name,
        help: "Move a page to a place; the others keep their order.",
        isRepeated: true)
    static let delete = Option(
        "delete", value: "PAGES", .name, help: "Delete pages, such as 2,5 or 3-7.", isRepeated: true
    )
    static let select = Option(
        "select", value: "PAGES", .name, help: "Select pages, such as 2,5 or 3-7.",
        isRepeated: true)
    static let deselect = Option(
        "deselect", value: "PAGES", .name, help: "Deselect pages.",
        isRepeated: true)
    static let deleteSelected = Option(
        flag: "delete-selected", help: "Delete the selected pages and entries.",
        excludes: ["delete"])
    static let rotate = Option(
        "rotate", value: "PAGES DEGREES", .name,
        help: "Turn pages clockwise by 90, 180 or 270 degrees; -90 is counterclockwise.",
        isRepeated: true)
    static let crop = Option(
        "crop", value: "PAGE X,Y,W,H", .name,
        help:
            "Keep only a part of a page, in pixels as it is shown; 'all' shows the whole page again.",
        isRepeated: true)
    static let uncut = Option(
        "uncut", value: "PAGES", .name,
        help: "Show the whole picture that a page was cut from when it was captured.",
        isRepeated: true)
    static let renumber = Option(
        "renumber", value: "N", .integer(1...1_000_000), help: "Number the pages from N.")
    static let splitAfter = Option(
        "split-after", value: "PAGE", .integer(1...1_000_000),
        help: "Move the pages after this one into a new document.")
    static let merge = Option(
        "merge", value: "ID", .integer(1...Int.max),
        help: "Append the pages of another document, which then goes into the trash.",
        completion: .dynamic("documents"), excludes: ["split-after"])
    static let undo = Option(flag: "undo", help: "Undo the last change.", excludes: changing)
    static let redo = Option(
        flag: "redo", help: "Redo the last undone change.", excludes: ["undo"] + changing)
    private static let changing = [
        "move", "delete", "select", "deselect", "delete-selected", "uncut", "rotate", "crop",
        "renumber", "split-after", "merge",
    ]

    static let command = Command(
        name: "pages", summary: "List, order, turn, cut, split and merge pages",
        discussion: """
            Without a change, the pages are listed. What was captured is never altered: every \
            change can be undone, one after another, back to the beginning, and redone.

            If a page was cut out of a captured picture, such as a sheet on a scanner's glass, the \
            whole picture is kept: --uncut shows it.

            All changes of one command count as one. Page numbers are those before the command. \
            Whatever their order on the command line, whole pictures are shown first; then pages \
            are turned, cut, selected, deleted, moved, numbered, split off and merged.

            With --json the result is the document as 'copystand show --json' prints it.
            """,
        examples: [
            Example("List the pages", "copystand pages 12"),
            Example("Page 3 first, without 2 and 5", "copystand pages 12 --move 3 1 --delete 2,5"),
            Example("Turn page 4 upright", "copystand pages 12 --rotate 4 90"),
            Example("Undo the last change", "copystand pages 12 --undo"),
        ],
        arguments: [ArchiveOptions.id],
        options: [
            move, delete, select, deselect, deleteSelected, uncut, rotate, crop, renumber,
            splitAfter, merge,
            undo, redo, SharedOptions.json,
            ArchiveOptions.folder,
        ],
        handler: handler { arguments, console in
            let id = ArchiveOptions.document(arguments)
            let isChange =
                ([undo, redo, move, delete, select, deselect, deleteSelected, rotate, crop]
                + [uncut, renumber, splitAfter, merge])
                .contains { arguments.isGiven($0) }
            let (document, made) = try await withArchive(
                arguments, isChange ? .readWrite : .readOnly
            ) { archive in
                let made = isChange ? try change(id, arguments, archive) : nil
                return (try archive.document(id), made)
            }
            if let made { console.say(made) }
            if arguments.isGiven(SharedOptions.json) {
                try console.json(WholeDocumentJSON(document, withText: false))
            } else {
                try console.result(
                    table(WholeDocumentJSON(document, withText: false)).text(for: console.output))
            }
            return .done
        })

    /// Makes the requested changes.
    ///
    /// - Returns: the results that are not visible in the list of pages: the undone changes, or the
    ///   new document of a split.
    private static func change(
        _ id: DocumentID, _ arguments: ParsedArguments, _ archive: Archive
    ) throws -> String? {
        let review = try archive.document(id, withText: false).review
        if arguments.isGiven(undo) {
            return "Undone: \(review.difference(to: try archive.undo(id)))."
        }
        if arguments.isGiven(redo) {
            return "Redone: \(review.difference(to: try archive.redo(id)))."
        }
        var actions: [ReviewAction] = []
        let wholes = PageEdits(review: review, path: arguments.path)
        for page in try arguments.texts(uncut).flatMap({ try wholes.list($0, uncut) }) {
            actions += try archive.uncutting(page, of: review)
        }
        let shown = try actions.reduce(review) { try $0.applying($1) }
        let order = PageEdits(review: shown, path: arguments.path)
        actions += try order.actions(arguments)
        let last = try arguments.integer(splitAfter).map { try order.page("\($0)", splitAfter) }
        return try archive.change(
            id, actions, splitAfter: last,
            mergeWith: arguments.integer(merge).map { DocumentID(rawValue: Int64($0)) }
        ).map { "The pages after it are now document \($0): copystand show \($0)" }
    }

    /// The pages in a table.
    static func table(_ document: WholeDocumentJSON) -> Table {
        var table = Table([
            .init("PAGE", isAlignedRight: true, minimumWidth: 4), .init("PIXELS", minimumWidth: 9),
            .init("DPI", isAlignedRight: true, minimumWidth: 3), .init("TURN", minimumWidth: 4),
            .init("CUT", minimumWidth: 3), .init("WORDS", isAlignedRight: true, minimumWidth: 5),
            .init("SELECTED", minimumWidth: 3), .init("FROM", minimumWidth: 12),
            .init("PROBLEMS", minimumWidth: 8),
        ])
        for page in document.pages {
            table.add([
                "\(page.number)", "\(page.width)x\(page.height)",
                "\(Int(min(max(page.resolution, 0), 1e9).rounded()))",
                page.turn == .none ? "" : "\(page.turn.rawValue)",
                page.crop == nil ? "" : "yes",
                (page.isRead ? "\(page.words)" : "-") + (page.corrected ? "*" : ""),
                document.selectedPages.contains(page.number) ? "yes" : "",
                page.label ?? page.device,
                page.problems.joined(separator: "; "),
            ])
        }
        return table
    }
}

/// Page numbers and places of a command line, as actions on a document.
struct PageEdits {
    let review: Review
    let path: [String]

    /// Every change but split and merge, in the order in which they are made.
    func actions(_ arguments: ParsedArguments) throws -> [ReviewAction] {
        typealias P = PagesCommand
        var actions: [ReviewAction] = []
        for value in arguments.texts(P.rotate) {
            let (pages, degrees) = try two(value, P.rotate)
            guard let number = Int(degrees), number % 90 == 0,
                let turn = PageTurn(rawValue: ((number % 360) + 360) % 360)
            else { throw refused(P.rotate, degrees, "90, 180, 270 or -90 degrees") }
            actions.append(.rotate(pages: try list(pages, P.rotate), by: turn))
        }
        for value in arguments.texts(P.crop) {
            let (number, part) = try two(value, P.crop)
            actions.append(.crop(page: try page(number, P.crop), to: try box(part)))
        }
        let selected = try arguments.texts(P.select).flatMap { try list($0, P.select) }
        if !selected.isEmpty { actions.append(.select(pages: selected)) }
        let deselected = try arguments.texts(P.deselect).flatMap { try list($0, P.deselect) }
        if !deselected.isEmpty { actions.append(.deselect(pages: deselected)) }
        if arguments.isGiven(P.deleteSelected) { actions.append(.deleteSelected) }
        let deleted = try arguments.texts(P.delete).flatMap { try list($0, P.delete) }
        if !deleted.isEmpty {
            // Only these pages are deleted, whatever was selected before.
            actions += [.deselectAll, .select(pages: deleted), .deleteSelected]
        }
        for value in arguments.texts(P.move) {
            let (number, place) = try two(value, P.move)
            guard let index = Int(place), index >= review.firstNumber else {
                throw refused(P.move, place, "a page number as the place")
            }
            actions.append(
                .move(page: try page(number, P.move), to: index - review.firstNumber))
        }
        if let first = arguments.integer(P.renumber) { actions.append(.renumber(first: first)) }
        return actions
    }

    /// The page with that number.
    func page(_ number: String, _ option: Option) throws -> PageID {
        guard let wanted = Int(number), let page = review.page(number: wanted) else {
            let first = review.firstNumber
            throw refused(
                option, number,
                "a page of the document, \(first) to \(first + review.pages.count - 1)")
        }
        return page.id
    }

    /// Pages such as `2,5` or `3-7`.
    func list(_ text: String, _ option: Option) throws -> [PageID] {
        guard let numbers = PageNumbers(text) else {
            throw refused(option, text, PageNumbers.examples)
        }
        return try numbers.ranges.flatMap { range in
            let first = try page(String(range.lowerBound), option)
            let last = try page(String(range.upperBound), option)
            guard let from = review.pages.firstIndex(where: { $0.id == first }),
                let to = review.pages.firstIndex(where: { $0.id == last }), from <= to
            else { throw refused(option, text, PageNumbers.examples) }
            return review.pages[from...to].map(\.id)
        }
    }

    private func box(_ text: String) throws -> Box? {
        if text == "all" { return nil }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
            let height = numbers[3]
        else {
            throw refused(PagesCommand.crop, text, "four numbers such as 0,0,600,800, or 'all'")
        }
        return Box(x: x, y: y, width: width, height: height)
    }

    private func two(_ value: String, _ option: Option) throws -> (String, String) {
        let parts = value.split(separator: " ").map(String.init)
        guard parts.count == 2 else {
            throw refused(option, value, "two values: \(option.valueName ?? "")")
        }
        return (parts[0], parts[1])
    }

    private func refused(_ option: Option, _ value: String, _ expected: String) -> UsageError {
        UsageError(
            .invalidValue(value, expected: expected), argument: option.spelling, path: path)
    }
}
