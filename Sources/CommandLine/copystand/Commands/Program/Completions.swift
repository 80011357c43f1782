import BlockingWork
import Archive
import CaptureHost
import CaptureKit
import CommandLine
import Delivery
import ExpectedFailures
import FoundationEssentials
import Processing
import Readers
import Recognition
import ScanService

/// `copystand completions`: the scripts with which shells complete its arguments.
enum CompletionsCommand {
    static let shell = Argument(
        "SHELL", .one, .choice(Shell.allCases.map(\.rawValue)), help: "The shell to write for.")
    static let values = Option(
        "values", value: "KIND",
        .choice([
            "backends", "devices", "documents", "jobs", "languages", "outbox", "papers", "profiles",
            "readers", "sinks", "split-marks", "step-names", "steps", "tags", "trashed",
        ]),
        help: "Print the values of this kind, as the scripts ask for them.", isHidden: true,
        waivesArguments: true)

    static let command = Command(
        name: "completions", summary: "Print the completion script for a shell",
        discussion: """
            'Scripts/install' puts the scripts in place. To try one without installing it, load \
            what this prints.
            """,
        examples: [
            Example("Bash, in this shell", "source <(copystand completions bash)"),
            Example("Zsh, in this shell", "source <(copystand completions zsh)"),
            Example(
                "Fish, for good",
                "copystand completions fish > ~/.config/fish/completions/copystand.fish"),
        ],
        arguments: [shell], options: [values],
        handler: handler { arguments, console in
            if let kind = arguments.text(values) {
                // While someone types a line, an error is of no use, and no values are a valid
                // answer.
                if let values = await ifStillThere({ try await list(kind, console) }) {
                    try console.result(values)
                }
            } else if let shell = arguments.text(shell).flatMap(Shell.init) {
                try console.result(shell.completionScript(for: CommandCatalog.root))
            }
            return .done
        })

    /// The maximum number of documents to offer, the latest first: more than anyone looks through.
    private static let mostDocuments = 500

    /// The user's archive; does not wait long for a program that writes to it.
    private static func userArchive() throws -> Archive {
        let place = try Archive.standardPlace(environment: ProcessInfo.processInfo.environment)
        guard !Archive.isShared(place) else {
            return try Archive.open(
                place + (place.contains("?") ? "&" : "?") + "connect_timeout=2", .readOnly)
        }
        return try Archive(folder: place, .readOnly, patience: 200)
    }

    /// Prints one value per line, followed by a tab and a description.
    private static func list(_ kind: String, _ console: Console) async throws -> String {
        let rows: [(String, String)]
        switch kind {
        case "devices":
            let listing = try await withCaptureHost(console) { await $0.listDevices(quick: true) }
            rows = listing.devices.flatMap { device in
                ([device.id] + device.aliases).map { ($0, device.descriptor.name) }
            }
        case "backends":
            rows = try await withCaptureHost(console) { await $0.backends() }
                .filter { $0.problem == nil }.map { ($0.id, $0.serves ?? $0.name) }
        case "profiles":
            rows = ProfilesCommand.library.list().filter { $0.problem == nil }.map {
                ($0.name, $0.title)
            }
        case "jobs":
            rows = try JobsCommand.store.jobs().map {
                ($0.id, $0.order?.outputs.joined(separator: ", ") ?? "")
            }
        case "documents", "trashed":
            let filter = DocumentFilter(isTrash: kind == "trashed", limit: mostDocuments)
            rows = try await onOwnThread { try userArchive().documents(filter) }
                .map { ("\($0.id)", $0.title) }
        case "tags":
            rows = try await onOwnThread { try userArchive().tags(limit: mostDocuments) }
                .map { ($0.name, counted($0.documents, "document")) }
        case "papers":
            rows =
                Paper.all.map {
                    ($0.name, "\(millimeters($0.width)) × \(millimeters($0.height)) mm")
                }
                + [("maximum", "the whole area that the device scans")]
        case "sinks":
            rows = try SinksCommand.registry().sinks.sorted { $0.key < $1.key }.map {
                ($0.key, $0.value.shownTarget ?? $0.value.kind.name)
            }
        case "split-marks": rows = SplitRule.words.map { ($0, "") }
        case "outbox":
            rows = try SinksCommand.outbox(SinksCommand.registry()).store.items().map { id, item in
                (id, item.readable?.title ?? "")
            }
        case "languages":
            rows = installedLanguages().map { ($0, "") }
        case "readers":
            rows = Readers().names().map { ($0, "") }
        case "steps":
            rows = StepCatalog.declarations.flatMap { step in
                step.options.map { ("\(step.name).\($0.name)=", $0.help) } + [
                    ("\(step.name)=", step.title)
                ]
            }
        default:
            rows = StepCatalog.declarations.map { ($0.name, $0.title) }
        }
        return rows.map { "\(Sanitized.line($0.0))\t\(Sanitized.line($0.1))\n" }.joined()
    }
}
