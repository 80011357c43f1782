import Suggestions

/// The state of parsing: the current command, and the values so far.
struct ParsingState {
    private var commands: [Command]
    private var parsed: ParsedArguments
    private var positionals: [String] = []
    private var firstError: UsageError?
    private var onlyPositionals = false
    private var wantsHelp = false

    init(_ root: Command) {
        commands = [root]
        parsed = ParsedArguments(path: [root.name])
    }

    private var command: Command { commands[commands.count - 1] }
    private var available: [Option] { command.options + GlobalOptions.all }

    /// Handles the next word, and takes the option's value from `rest` if there is one.
    ///
    /// A mistake is reported only at the end, so that a request for help further right takes
    /// precedence. An unknown command ends the parsing immediately, because the words after it have
    /// no meaning.
    mutating func take(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        if onlyPositionals || !word.isOptionLike || isNegativeNumber(word) {
            try takePlain(word)
        } else if word == "--" {
            onlyPositionals = true
        } else if word.utf8.starts(with: "--".utf8) {
            takeLong(word, &rest)
        } else {
            takeShort(word, &rest)
        }
    }

    /// Checks that nothing is missing, once no word is left.
    func finish() throws(UsageError) -> ArgumentParser.Outcome {
        if wantsHelp || parsed.isGiven(GlobalOptions.help) { return .help(commands, parsed) }
        if parsed.isGiven(GlobalOptions.version) {
            return .version(isVerbose: parsed.isGiven(GlobalOptions.verbose))
        }
        if let firstError { throw firstError }
        guard command.handler != nil else {
            let names = command.visibleSubcommands.map(\.name)
            throw error(.missingCommand(names), parsed.path.joined(separator: " "))
        }
        try checkConflicts()
        var result = parsed
        result.positionals = try assignPositionals()
        return .run(command, result)
    }

    // MARK: Words

    private mutating func takePlain(_ word: String) throws(UsageError) {
        if commands.count == 1, word == "help", !onlyPositionals {
            wantsHelp = true
        } else if command.subcommands.isEmpty {
            positionals.append(word)
        } else if let next = command.subcommands.first(where: { $0.name == word }) {
            commands.append(next)
            parsed.path.append(word)
        } else {
            let names = command.visibleSubcommands.map(\.name)
            throw firstError ?? error(.unknownCommand, word, nearestNames(to: word, among: names))
        }
    }

    private mutating func takeLong(_ word: String, _ rest: inout ArraySlice<String>) {
        let parts = NamedValue(word)
        let spelling = parts?.name ?? word
        let name = String(spelling.unicodeScalars.dropFirst(2))
        guard let option = available.first(where: { $0.name == name }) else {
            return note(unknownOption(spelling, name))
        }
        if option.isFlag {
            if let value = parts?.value {
                return note(error(.unexpectedValue(value), option.spelling))
            }
            parsed.options[option.name] = []
        } else if let value = parts?.value {
            store(value, for: option)
        } else {
            storeNext(&rest, for: option)
        }
    }

    private mutating func takeShort(_ word: String, _ rest: inout ArraySlice<String>) {
        var letters = word.unicodeScalars.dropFirst()
        while let letter = letters.popFirst().map(Character.init) {
            guard let option = available.first(where: { $0.short == letter }) else {
                // `-device`: someone forgot a hyphen.
                let name = String(word.unicodeScalars.dropFirst())
                let isLong = available.contains { $0.name == NamedValue(name)?.name ?? name }
                return note(
                    isLong
                        ? error(.unknownOption(owners: []), word, ["-" + word])
                        : error(.unknownOption(owners: []), "-\(letter)"))
            }
            if option.isFlag {
                parsed.options[option.name] = []
            } else if letters.isEmpty {
                return storeNext(&rest, for: option)
            } else {
                return store(String(letters), for: option)
            }
        }
    }

    // MARK: Values

    private mutating func storeNext(_ rest: inout ArraySlice<String>, for option: Option) {
        let words = rest.prefix(option.valueCount)
        if words.count == option.valueCount, words.allSatisfy({ !$0.isOptionLike || $0.isNumber }) {
            rest = rest.dropFirst(words.count)
            return store(words.joined(separator: " "), for: option)
        }
        if option.isValueOptional {
            parsed.options[option.name] = parsed.options[option.name] ?? []
            return
        }
        let next =
            option.valueCount > 1
            ? nil : rest.first.flatMap { $0 == "--" || isKnownOption($0) ? nil : $0 }
        // The word is not a known option, so it was meant as the value and is reported once.
        if next != nil { rest.removeFirst() }
        note(error(.missingValue(name: option.valueName ?? "", next: next), option.spelling))
    }

    private mutating func store(_ word: String, for option: Option) {
        if !option.isRepeated, parsed.isGiven(option) {
            return note(error(.givenTwice, option.spelling))
        }
        guard let value = option.type.read(word) else {
            return note(notText(word, option.spelling))
        }
        guard option.type.accepts(value) else {
            return note(invalid(value, option.type, option.spelling))
        }
        parsed.options[option.name, default: []].append(value)
    }

    private func assignPositionals() throws(UsageError) -> [String: [String]] {
        var assigned: [String: [String]] = [:]
        var rest = positionals[...]
        let isWaived = command.options.contains { $0.waivesArguments && parsed.isGiven($0) }
        for argument in command.arguments {
            let words = argument.count == .oneOrMore ? Array(rest) : Array(rest.prefix(1))
            rest = rest.dropFirst(words.count)
            if words.isEmpty {
                guard argument.count == .optional || isWaived else {
                    throw error(.missingArgument, argument.name)
                }
                continue
            }
            assigned[argument.name] = try words.map { word throws(UsageError) in
                guard let value = argument.type.read(word) else {
                    throw notText(word, argument.name)
                }
                guard argument.type.accepts(value) else {
                    throw invalid(value, argument.type, argument.name)
                }
                return value
            }
        }
        if let extra = rest.first { throw error(.unexpectedArgument, extra) }
        return assigned
    }

    private func checkConflicts() throws(UsageError) {
        for option in available where parsed.isGiven(option) {
            for other in option.excludes where parsed.options[other] != nil {
                throw error(.conflict(with: "--\(other)"), option.spelling)
            }
        }
    }

    // MARK: Mistakes

    private mutating func note(_ error: UsageError) { firstError = firstError ?? error }

    private func error(
        _ kind: UsageError.Kind, _ argument: String, _ suggestions: [String] = []
    ) -> UsageError {
        UsageError(kind, argument: argument, suggestions: suggestions, path: parsed.path)
    }

    private func invalid(_ value: String, _ type: ValueType, _ name: String) -> UsageError {
        var near: [String] = []
        if case .choice(let words) = type { near = nearestNames(to: value, among: words) }
        return error(.invalidValue(value, expected: type.expectation), name, near)
    }

    private func notText(_ word: String, _ name: String) -> UsageError {
        error(.invalidValue(word, expected: "text in UTF-8"), name)
    }

    private func unknownOption(_ spelling: String, _ name: String) -> UsageError {
        let visible = available.filter { !$0.isHidden }.map(\.name)
        let near = nearestNames(to: name, among: visible).map { "--\($0)" }
        let owners = command.visibleSubcommands.filter { below in
            below.visibleOptions.contains { $0.name == name }
        }
        let lines = owners.prefix(3).map {
            (parsed.path + [$0.name, "--\(name)"]).joined(separator: " ")
        }
        return error(.unknownOption(owners: lines), spelling, lines.isEmpty ? near : [])
    }

    private func isKnownOption(_ word: String) -> Bool {
        let name = NamedValue(word)?.name ?? word
        if name.utf8.starts(with: "--".utf8) {
            return available.contains { $0.spelling == name }
        }
        return hasShort(word)
    }

    /// True if the letter after the word's hyphen is an option.
    private func hasShort(_ word: String) -> Bool {
        guard let letter = word.unicodeScalars.dropFirst().first else { return false }
        return available.contains { $0.short == Character(letter) }
    }

    private func isNegativeNumber(_ word: String) -> Bool {
        word.isNumber && !hasShort(word)
    }
}

extension String {
    /// True when the word begins with a hyphen and is not just a hyphen.
    fileprivate var isOptionLike: Bool { utf8.first == UInt8(ascii: "-") && utf8.count > 1 }

    /// True for a decimal number such as `-5` or `-0.5`; not for `-inf` or `-nan`, which might be
    /// options.
    fileprivate var isNumber: Bool {
        utf8.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } && Double(self) != nil
    }
}
