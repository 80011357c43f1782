import CPosix
import Glibc

extension SinkDefinition.Kind {
    /// A program of the user's.
    public static let exec = Self(
        "exec", "runs a program of yours with the document's path",
        reach: .program,
        settings: [
            SinkSetting(
                .command,
                "the program's full path, then its arguments, each with another --command",
                isNeeded: true),
            SinkSetting(.environment, "a variable of the environment that the program gets"),
            SinkSetting(.timeLimit, "how long the program may take; 300 unless given"),
        ],
        example: .init("--command", "/bin/true"),
        check: { (sink) throws(DeliveryError) in try sink.checkProgram() }
    ) { (definition, tools) throws(DeliveryError) in
        ExecDeliverer(definition: definition, stop: tools.stop)
    }
}

/// Hands a document to a program of the user's: its path as an argument, its data in the
/// environment; never through a shell.
///
/// The program gets the part of our environment that ``ProgramEnvironment`` allows, and the
/// variables that the sink names.
///
/// The program exits with 0 if it has the document, with 75 (`EX_TEMPFAIL` of sysexits.h) to be
/// called again later, and with any other code if it refuses the document. The first line of its
/// output is the receipt's remote name.
struct ExecDeliverer: Deliverer {
    let definition: SinkDefinition
    let stop: DeliveryStop

    func attempt(
        _ item: inout OutboxItem, in folder: String,
        save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws(DeliveryError) -> DeliveryAttempt {
        let command = definition.command ?? []
        let paths = item.files.map { folder + "/" + $0.name }
        var arguments = command.flatMap { $0 == "{}" ? paths : [$0] }
        if !command.contains("{}") { arguments += paths }
        let limit = definition.timeLimit ?? 300
        let environment = [
            "COPYSTAND_ID": item.id, "COPYSTAND_TITLE": item.title,
            "COPYSTAND_CREATED": Timestamp(seconds: item.created).iso8601,
            "COPYSTAND_PAGES": String(item.pages), "COPYSTAND_TYPE": item.type ?? "document",
            "COPYSTAND_SINK": item.sink, "COPYSTAND_FILES": String(paths.count),
        ]
        let doubt = PossibleRepeat(&item)
        try save(item)
        let run = try ProgramRun(
            arguments, environment: environment, passing: definition.environment ?? [],
            limit: limit, secrets: definition.secrets, stop: stop)
        let name = command.first ?? ""
        let said = ForeignWords.quoted(run.errors)
        switch run.ending {
        case .exited(0):
            return .delivered(
                RemoteReceipt(
                    location: name, remoteID: run.output.isEmpty ? nil : run.output,
                    notes: doubt.notes(
                        "The program was run before and interrupted, so it may have done its work twice."
                    )))
        case .exited(let code):
            doubt.settle(&item)
            return code == 75
                ? .later("'\(name)' asks to be tried later\(said)", after: nil)
                : .refused("'\(name)' ended with status \(code)\(said)")
        case .killed(let signal): return .refused("'\(name)' was ended by signal \(signal)\(said)")
        case .stopped: return .later("'\(name)' was ended with Copystand", after: nil)
        case .tookTooLong:
            return .later("'\(name)' took more than \(limit) s and was ended", after: nil)
        }
    }

    func test() throws(DeliveryError) -> String {
        let program = definition.command?.first ?? ""
        guard access(program, X_OK) == 0 else {
            throw DeliveryError(
                .unreachable, "'\(program)' can't be run: \(String(cString: strerror(errno)))")
        }
        return "'\(program)' can be run"
    }
}
