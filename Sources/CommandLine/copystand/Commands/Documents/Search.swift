import BlockingWork
import Archive
import CommandLine
import Documents
import HostClient
import Listings

/// `copystand search`: finds pages of archived documents by their words.
enum SearchCommand {
    static let query = Argument(
        "QUERY", .oneOrMore, .name,
        help:
            "Words; \"a phrase\"; a beginning*; -without; type:, tag:, field:, since: and before:.")
    static let limit = Option(
        "limit", short: "n", value: "N", .integer(1...1_000), help: "At most N pages.",
        default: "20")
    static let skip = Option(
        "skip", value: "N", .integer(0...1_000_000), help: "Skip the first N pages.",
        default: "0")

    static let command = Command(
        name: "search", summary: "Search the text of archived documents",
        discussion: """
            Finds the pages that have all of the words in their text, or in the title, note, tags \
            and fields of their document; the best come first. Capitals and accents make no \
            difference. Write a phrase in quotes (and those in quotes for the shell), and a \
            star after the beginning of a word. After '--', a minus excludes a word.

            Each line shows the document's number, its title, the page, where on it the first \
            match is (x,y and width x height in pixels from the top left corner), and the text \
            around it, with the match in bold or, without colors, in brackets. When very many \
            pages match, the latest come first.

            With --json the result has "hits", each with "document", "title", "page", its "width" \
            and "height", "words" \
            with their boxes, and "snippet"; "total", and "order", which is "rank" or "newest".
            """,
        examples: [
            Example("Every page with both words", "copystand search invoice 2291"),
            Example("A phrase", "copystand search '\"total due\"' --type invoice"),
            Example(
                "Since the new year, without one word", "copystand search -- rent -paid since:2026"),
        ],
        arguments: [query],
        options: [
            ArchiveOptions.type, ArchiveOptions.tag, ArchiveOptions.since, ArchiveOptions.before,
            limit, skip, SharedOptions.json, ArchiveOptions.folder,
        ] + HostOptions.all(without: ["archive"]),
        handler: handler { arguments, console in
            let found = try await found(arguments, console)
            if arguments.isGiven(SharedOptions.json) {
                try console.json(found)
            } else {
                try show(found, console)
            }
            return .done
        })

    private static func found(_ arguments: ParsedArguments, _ console: Console) async throws
        -> SearchJSON
    {
        let (limit, skip) = (arguments.integer(limit) ?? 20, arguments.integer(skip) ?? 0)
        let text = (arguments.texts(query) + filterWords(arguments)).joined(separator: " ")
        let tags = arguments.texts(ArchiveOptions.tag)
        if let host = try HostOptions.connection(arguments, console) {
            let words = [text] + tags.map { "tag:\"\($0.filter { $0 != "\"" })\"" }
            return try await onOwnThread {
                try host.get(
                    "/api/v1/search",
                    [
                        ("q", words.joined(separator: " ")), ("limit", "\(limit)"),
                        ("offset", "\(skip)"),
                    ])
            }
        }
        var query = try SearchQuery(text)
        query.tags += tags
        let asked = query
        return SearchJSON(
            try await withArchive(arguments, .readOnly) {
                try $0.search(asked, limit: limit, offset: skip)
            })
    }

    /// The filters that were given as options, in the form of a query.
    private static func filterWords(_ arguments: ParsedArguments) -> [String] {
        [
            (ArchiveOptions.type, "type"), (ArchiveOptions.since, "since"),
            (ArchiveOptions.before, "before"),
        ].compactMap { option, key in arguments.text(option).map { "\(key):\"\($0)\"" } }
    }

    private static func show(_ result: SearchJSON, _ console: Console) throws {
        if result.hits.isEmpty {
            console.say("Nothing found.")
            return
        }
        for hit in result.hits {
            let place = hit.words.first.map {
                " at \($0.box.x),\($0.box.y) \($0.box.width)x\($0.box.height)"
            }
            let facts =
                "page \(hit.page)\(place ?? ""), \(hit.type), \(CalendarDay.text(of: seconds(ofMoment: hit.created)))"
            let width = console.output.isTerminal ? console.output.width : 80
            let room = max(16, width - facts.displayWidth - "\(hit.document)".count - 4)
            let title = Sanitized.line(hit.title).truncated(toWidth: room)
            try console.result(
                "\(console.output.styled("\(hit.document)", .bold))  \(title)  \(console.output.styled(facts, .faint))\n"
            )
            let text = hit.snippet.map { part in
                let line = Sanitized.line(part.text)
                guard part.isMatch else { return line }
                return console.output.hasColor ? console.output.styled(line, .bold) : "[\(line)]"
            }.joined()
            if !text.isEmpty { try console.result("    \(text)\n") }
        }
        let total = result.totalIsOpen ? "More than \(result.total)" : "\(result.total)"
        let order =
            result.order == SearchResult.Order.newest.rawValue && result.totalIsOpen
            ? ", the latest first" : ""
        console.say(
            "\(total) page\(result.total == 1 ? "" : "s") match\(result.total == 1 ? "es" : "")\(order)."
        )
    }
}
