import BlockingWork
import CommandLine
import Delivery
import FoundationEssentials

/// `copystand sinks add`: describes a sink and keeps it.
enum SinksAdd {
    private static let name = Argument(
        "NAME", .one, .name, help: "What to call it: lowercase letters, digits and hyphens.")
    private static let kinds = SinkDefinition.Kind.all
    private static let kind = Option(
        "kind", short: "k", value: "KIND", .choice(kinds.map(\.name)),
        help: kinds.map { "\($0.name) \($0.summary)" }.joined(separator: "; ")
            + ". 'copystand sinks kinds' lists the settings of each.")
    private static let url = Option(
        "url", value: "ADDRESS", .name,
        help: "The service's address, beginning with "
            + Set(kinds.flatMap(\.schemes)).sorted().map { $0 + "://" }.joined(separator: ", ")
            + ".")
    private static let tokenFile = Option(
        "token-file", value: "FILE", .path,
        help: "The token is on the first line of FILE; - is standard input.",
        completion: .files)
    private static let user = Option(
        "user", value: "NAME", .name, help: "Sign in with this name.")
    private static let passwordFile = Option(
        "password-file", value: "FILE", .path,
        help: "The user's password, on the first line of FILE; - is standard input.",
        completion: .files)
    private static let header = Option(
        "header", value: "NAME=VALUE", .pair, help: "An additional header for every request.",
        isRepeated: true)
    private static let form = Option(
        "form", value: "FORM", .choice(SinkDefinition.Form.allCases.map(\.rawValue)),
        help:
            "How a webhook gets the document: as a form, as JSON without the file, or as the body of a PUT."
    )
    private static let format = Option(
        "format", value: "ENDING", .name,
        help: "The file that is made of the document, such as pdf, jpg or txt.")
    private static let largestSide = Option(
        "largest-side", value: "PIXELS", .integer(16...65_535),
        help: "Make pictures no larger than this before they are sent.")
    private static let parameter = Option(
        "parameter", value: "NAME=VALUE", .pair,
        help: """
            A setting of the kind, such as tags=3,5 for paperless; 'copystand sinks kinds' lists \
            them.
            """,
        isRepeated: true)
    private static let field = Option(
        "field", value: "NAME=PLACE", .pair,
        help:
            "Fill a field of the document from a place in the service's JSON answer, such as price=prices.market.",
        isRepeated: true)
    private static let ordered = Option(
        flag: "ordered", help: "Deliver documents strictly one after another.")
    private static let program = Option(
        "command", value: "WORD", .path,
        help: """
            The full path of exec's program, then its arguments, each with its own --command; {} \
            stands for the document's path, which otherwise comes last. No shell is involved.
            """,
        isRepeated: true)
    private static let environment = Option(
        "env", value: "NAME", .name,
        help: """
            An environment variable for exec's program, in addition to PATH, HOME, USER, \
            LOGNAME, SHELL, LANG, LANGUAGE, LC_*, \
            TZ, TMPDIR, TERM, XDG_* and those that describe the document.
            """,
        isRepeated: true)
    private static let timeLimit = Option(
        "time-limit", value: "SECONDS", .integer(1...86_400),
        help: "How long the program may take; 300 unless given.")
    private static let template = Option(
        "template", value: "PATH", .path,
        help: """
            The name of the file, with placeholders for {date}, {time}, {year}, {month}, {day}, \
            {title}, {type}, {barcode}, {counter} and {sink}.
            """)

    private static let trust = Option(
        flag: "trust-server",
        help: """
            Trust the key that the server of an sftp sink shows now, without a question. Use this \
            only where nobody else could answer in the server's place.
            """)

    static let command = Command(
        name: "add", summary: "Add a sink, or replace one",
        examples: [
            Example(
                "A folder for each year",
                "copystand sinks add shelf -k file --template /srv/scans/{year}/{title}.pdf"),
            Example(
                "Nextcloud",
                "copystand sinks add cloud -k webdav --url URL --user ada --password-file pw"),
            Example(
                "A service that prices cards",
                "copystand sinks add price -k webhook --url URL --field price=prices.market"),
            Example(
                "A program of yours",
                "copystand sinks add mine -k exec --command /usr/local/bin/file-it"),
        ],
        arguments: [name],
        options: [
            kind, url, tokenFile, user, passwordFile, header, form, format, largestSide, parameter,
            field, ordered,
            program, environment, timeLimit, template, trust,
        ],
        handler: handler(run))

    private static func run(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        let name = arguments.text(name) ?? ""
        guard let kind = arguments.text(kind).flatMap(SinkDefinition.Kind.named) else {
            throw UsageError(
                .refused("is needed: say what kind of sink it is"), argument: "--kind",
                path: arguments.path)
        }
        var sink = SinkDefinition(kind: kind)
        sink.url = arguments.text(url)
        sink.token = try arguments.text(tokenFile).map { try firstLine($0, tokenFile, arguments) }
        sink.user = arguments.text(user)
        sink.password = try arguments.text(passwordFile).map {
            try firstLine($0, passwordFile, arguments)
        }
        sink.headers = dictionary(arguments.pairs(header))
        sink.form = arguments.text(form).flatMap(SinkDefinition.Form.init(rawValue:))
        sink.format = arguments.text(format)
        sink.largestSide = arguments.integer(largestSide)
        sink.parameters = dictionary(arguments.pairs(parameter))
        sink.fields = dictionary(arguments.pairs(field))
        sink.isOrdered = arguments.isGiven(ordered) ? true : nil
        let words = arguments.texts(program)
        sink.command = words.isEmpty ? nil : words
        let variables = arguments.texts(environment)
        sink.environment = variables.isEmpty ? nil : variables
        sink.timeLimit = arguments.integer(timeLimit)
        sink.template = arguments.text(template)
        try await identify(&sink, arguments, console)
        var registry = try SinksCommand.registry()
        try registry.add(name, sink)
        console.say("Documents can now go to '\(name)'. Try it with: copystand sinks test \(name)")
        return .done
    }

    /// Asks the user to confirm the server's key, unless it was given.
    private static func identify(
        _ sink: inout SinkDefinition, _ arguments: ParsedArguments, _ console: Console
    ) async throws {
        guard let identity = sink.kind.identity, sink.url != nil,
            sink.parameters?[identity.parameter] == nil
        else { return }
        let asked = sink
        let shown = try await onOwnThread { try identity.ask(asked) }
        console.say("The server at \(sink.url ?? "") has the key \(shown).")
        if !arguments.isGiven(trust) {
            let question = "Is that the key that the server's owner gave you?"
            guard let answer = YesNoQuestion(console).ask(question) else {
                throw UsageError(
                    .refused(
                        "is needed where nobody can be asked: compare the key, and give it as \(identity.parameter)=\(shown)"
                    ), argument: "--parameter", path: arguments.path)
            }
            guard answer else {
                throw DeliveryError(
                    .invalidOption, "The server is not trusted, and the sink was not added.")
            }
        }
        sink.parameters = (sink.parameters ?? [:]).merging([identity.parameter: shown]) { $1 }
    }

    private static func dictionary(_ pairs: [NamedValue]) -> [String: String]? {
        pairs.isEmpty
            ? nil : Dictionary(pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    private static func firstLine(
        _ path: String, _ option: Option, _ arguments: ParsedArguments
    ) throws -> String {
        guard let line = FirstLine.of(path), !line.isEmpty else {
            throw UsageError(
                .refused("can't be read: name a text file whose first line is the secret"),
                argument: option.spelling, path: arguments.path)
        }
        return line
    }
}
