import CommandLine
import Documents
import FoundationEssentials
import WebServer

/// `copystand token`: lists and changes the tokens for access from other machines.
enum TokenCommand {
    private static let name = Argument(
        "NAME", .one, .name, help: "Who or what it is for, such as tablet.")

    private static let scope = Option(
        "scope", value: "SCOPE", .choice(AccessScope.allCases.map(\.rawValue)),
        help:
            "What it allows: read (the archive), scan (devices, jobs and the archive), or admin (everything). scan unless given."
    )

    private static let sees = Option(
        "sees", value: "DOCUMENTS", .choice(ArchiveUser.Sees.allCases.map(\.rawValue)),
        help:
            "The documents that it sees: all, or own, which are those that it ordered and those without an owner. all unless given."
    )

    static let command = Command(
        name: "token",
        summary: "List, make and remove the tokens for access to 'serve'",
        discussion: """
            A token is shown once, when it is made; the host keeps only its hash, in \
            ~/.config/copystand/tokens.json. A running host notices new and removed tokens at \
            once: it refuses the next request with a removed one, and ends its sessions in browsers, \
            its event streams and live views, and files that are being sent to it.

            Each token has a scope. 'read' lists, searches, shows and downloads documents, and \
            changes nothing. 'scan' also scans, changes documents, and sends them to existing \
            sinks. 'admin' also makes tokens and changes sinks, profiles and the names of \
            devices. Tokens made before scopes existed are 'admin'.

            A token's name owns the documents made with it. With '--sees own' it sees these and \
            documents without an owner, and no others. A new token with the name of a removed one \
            sees that one's documents.

            With --json the result is an object with "tokens", each with "name", "made", "scope" \
            and "sees".
            """,
        examples: [
            Example("List the tokens", "copystand token"),
            Example("One for the tablet in the kitchen", "copystand token add kitchen"),
            Example("One that can only read the archive", "copystand token add guest --scope read"),
            Example("One that sees only its own documents", "copystand token add ada --sees own"),
            Example("It was lost", "copystand token remove kitchen"),
        ],
        options: [SharedOptions.json], subcommands: [listCommand, add, remove],
        handler: handler(list))

    private static let listCommand = Command(
        name: "list", summary: "List the tokens, the same as 'copystand token'",
        examples: [Example("As JSON", "copystand token list --json")],
        options: [SharedOptions.json], handler: handler(list))

    private static let add = Command(
        name: "add", summary: "Make a token, and show it once",
        examples: [
            Example("For a tablet", "copystand token add kitchen"),
            Example("For the administrator", "copystand token add boss --scope admin"),
            Example("For someone with their own documents", "copystand token add ada --sees own"),
        ], arguments: [name], options: [scope, sees],
        handler: handler { arguments, console in
            let scope = arguments.text(scope).flatMap(AccessScope.init) ?? .scan
            let sees = arguments.text(sees).flatMap(ArchiveUser.Sees.init) ?? .all
            let token = try tokens.make(
                name: arguments.text(name) ?? "", scope: scope, sees: sees)
            try console.result(token + "\n")
            return .done
        })

    private static let remove = Command(
        name: "remove", summary: "Remove a token",
        examples: [Example("It was lost", "copystand token remove kitchen")], arguments: [name],
        handler: handler { arguments, console in
            let name = arguments.text(name) ?? ""
            try tokens.remove(name: name)
            console.say("The token '\(name)' no longer gives access.")
            return .done
        })

    private static var tokens: AccessTokens {
        get throws { try .standard(environment: ProcessInfo.processInfo.environment) }
    }

    private struct TokensJSON: Encodable {
        struct Token: Encodable {
            var name: String
            var made: String
            var scope: AccessScope
            var sees: ArchiveUser.Sees
        }
        var tokens: [Token]
    }

    private static func list(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        let tokens = try tokens.all()
        if arguments.isGiven(SharedOptions.json) {
            try console.json(
                TokensJSON(
                    tokens: tokens.map {
                        TokensJSON.Token(
                            name: $0.name, made: $0.made, scope: $0.scope, sees: $0.sees)
                    }))
            return .done
        }
        if tokens.isEmpty {
            console.say("There are no tokens yet. Make one with: copystand token add NAME")
            return .done
        }
        var table = Table([
            .init("TOKEN"), .init("SCOPE"), .init("SEES"), .init("MADE", minimumWidth: 10),
        ])
        for token in tokens {
            table.add([token.name, token.scope.rawValue, token.sees.rawValue, token.made])
        }
        try console.result(table.text(for: console.output))
        return .done
    }
}
