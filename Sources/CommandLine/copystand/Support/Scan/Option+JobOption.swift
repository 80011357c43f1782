import CommandLine
import JobOptions
import ScanService

extension Option {
    /// The form of a job's option in a command.
    ///
    /// A command that continues a job shows no usual value: what is not given stays as it was.
    init(
        _ option: JobOptionDeclaration, _ argument: JobOptionArgument, in command: JobCommand
    ) {
        let help = argument.otherHelp[command] ?? argument.help
        guard option.kind != .flag else {
            self.init(flag: argument.name, short: argument.short, help: help)
            return
        }
        let usual = command.continuesJob ? nil : option.usual?.words
        self.init(
            argument.name, short: argument.short, value: argument.value, ValueType(option.kind),
            help: help, isRepeated: option.kind == .texts,
            default: usual?.isEmpty == false ? usual : nil,
            completion: argument.completion.map(Completion.dynamic) ?? .none)
    }

    /// The options of a job that a command has, in the order of help.
    static func of(_ command: JobCommand) -> [Option] {
        JobOptions.of(command).map { Option($0.option, $0.argument, in: command) }
    }
}

extension ValueType {
    /// The words that the command line takes for an option; times are read later.
    fileprivate init(_ kind: JobOptionKind) {
        self =
            switch kind {
            case .whole(let range): .integer(range)
            case .choice(let words): .choice(words)
            case .flag, .text(mayBeEmpty: true): .text
            case .seconds, .text, .texts: .name
            }
    }
}

extension JobOption {
    /// The option as it is typed, such as `--collate`; empty if the command line does not have it.
    var spelling: String { declaration.argument.map { "--\($0.name)" } ?? "" }
}

/// The options of a job that a command line gives.
struct GivenJobOptions {
    /// The options that the job keeps.
    var settings = JobSettings()
    /// The changes of the profile's steps.
    var steps: [(name: String, value: String)] = []
    /// The options to set on the device.
    var device: [ScanOrder.Setting] = []

    /// Reads the options from a parsed command line; a command without options of a job has none.
    ///
    /// - Throws: ``UsageError`` for a value that is not accepted.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        // Another command can have an option of its own with the name of a job's.
        let words = parsed.path.dropFirst().joined(separator: " ")
        guard let command = JobCommand.allCases.first(where: { $0.words == words }) else { return }
        for (declaration, argument) in JobOptions.of(command) {
            let option = Option(declaration, argument, in: command)
            guard parsed.isGiven(option) else { continue }
            let words = parsed.texts(option)
            guard let value = declaration.kind.value(of: words) else {
                throw UsageError(
                    .invalidValue(words.last ?? "", expected: declaration.kind.expectation),
                    argument: option.spelling, path: parsed.path)
            }
            if let (text, clause) = declaration.brokenRule(value), let rule = declaration.rule {
                throw UsageError(
                    .refused("\(clause). \(option.spelling) takes \(rule.expectation)"),
                    argument: text, path: parsed.path)
            }
            switch declaration.effect {
            case .own: settings[declaration] = value
            case .step(let name): steps.append((name, value.words))
            case .device(let name):
                device.append(.init(option: name, value: option.isFlag ? "true" : value.words))
            }
        }
    }
}
