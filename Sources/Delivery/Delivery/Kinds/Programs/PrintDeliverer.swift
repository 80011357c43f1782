extension SinkDefinition.Kind {
    /// A printer, by CUPS.
    public static let print = Self(
        "print", "prints the document with lp",
        reach: .program,
        settings: [
            .parameter(
                "printer", "the printer's name, as 'lpstat -e' lists it; the default unless given"),
            .parameter("copies", "how many copies; 1 unless given"),
            .parameter(
                "sides", "which sides of the paper are printed on",
                choices: ["one-sided", "two-sided-long-edge", "two-sided-short-edge"]),
            SinkSetting(.command, "the full path of lp; /usr/bin/lp unless given"),
        ],
        example: .init("--parameter", "printer=office", "--parameter", "copies=2"),
        check: { (sink) throws(DeliveryError) in
            try sink.checkProgram()
            let copies = sink.parameter("copies") ?? "1"
            guard let number = Int(copies), (1...100).contains(number) else {
                throw DeliveryError(
                    .invalidOption, "copies is '\(copies.prefix(20))': give a number from 1 to 100."
                )
            }
            let printer = sink.parameter("printer") ?? "default"
            guard !printer.isEmpty, !printer.hasPrefix("-") else {
                throw DeliveryError(
                    .invalidOption, "A printer can't be called '\(printer.prefix(80))'.")
            }
        }
    ) { (definition, tools) throws(DeliveryError) in
        PrintDeliverer(definition: definition, stop: tools.stop)
    }
}

/// Prints documents through CUPS (`lp`), which puts them into its own queue.
///
/// Only the end of lp shows whether a printer accepted a document, so after an interruption a
/// document may be printed twice, and its receipt notes it.
struct PrintDeliverer: Deliverer {
    let definition: SinkDefinition
    let stop: DeliveryStop

    func attempt(
        _ item: inout OutboxItem, in folder: String,
        save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws(DeliveryError) -> DeliveryAttempt {
        let doubt = PossibleRepeat(&item)
        try save(item)
        var arguments = definition.command ?? ["/usr/bin/lp"]
        if let printer = definition.parameter("printer") { arguments += ["-d", printer] }
        arguments += [
            "-n", definition.parameter("copies") ?? "1", "-t", NameTemplate.safe(item.title),
        ]
        if let sides = definition.parameter("sides") { arguments += ["-o", "sides=" + sides] }
        arguments += ["--"] + item.files.map { folder + "/" + $0.name }
        let run = try ProgramRun(arguments, environment: [:], limit: 120, stop: stop)
        let said = ForeignWords.quoted(run.errors)
        switch run.ending {
        case .exited(0):
            return .delivered(
                RemoteReceipt(
                    location: definition.parameter("printer") ?? "the default printer",
                    remoteID: run.output.isEmpty ? nil : run.output,
                    notes: doubt.notes("The document may have been printed twice.")))
        case .exited(let code):
            doubt.settle(&item)
            return .later("lp ended with status \(code)\(said)", after: nil)
        case .killed, .stopped, .tookTooLong:
            return .later("lp was ended before it had answered", after: nil)
        }
    }

    func test() throws(DeliveryError) -> String {
        let arguments =
            ["/usr/bin/lpstat"] + (definition.parameter("printer").map { ["-p", $0] } ?? ["-d"])
        let run = try ProgramRun(arguments, environment: [:], limit: 30, stop: stop)
        guard run.ending == .exited(0) else {
            throw DeliveryError(
                .unreachable,
                "CUPS does not answer for the printer\(ForeignWords.quoted(run.errors))"
            )
        }
        return run.output
    }
}
