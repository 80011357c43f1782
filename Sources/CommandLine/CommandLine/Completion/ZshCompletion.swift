/// The completion script for zsh, in the terms of its `_arguments` and `_describe`.
struct ZshCompletion {
    private let program: String
    private let nodes: [CommandNode]

    init(_ root: Command) {
        program = root.name
        nodes = CommandNode.all(of: root)
    }

    var script: String {
        """
        #compdef \(program)
        # Completion of \(program) for zsh, written by '\(program) completions zsh'.

        # Offers what the program lists.
        _\(program)_list() {
            local -a values
            local line
            for line in ${(f)"$(_call_program $1 \(program) completions --values $1 \
            2>/dev/null)"}; do
                values+=("${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}")
            done
            _describe -t $1 $1 values
        }

        \(nodes.map(function).joined(separator: "\n"))
        if [ "$funcstack[1]" = "_\(program)" ]; then
            _\(program) "$@"
        else
            compdef _\(program) \(program)
        fi

        """
    }

    private func name(_ path: String) -> String {
        "_" + path.split(separator: " ").joined(separator: "_")
    }

    private func function(_ node: CommandNode) -> String {
        let commands = node.command.visibleSubcommands
        var specs = node.options.map(spec)
        if commands.isEmpty {
            specs += node.command.arguments.enumerated().map { spec($0 + 1, $1) }
            return """
                \(name(node.path))() {
                    _arguments -s -S \(joined(specs))
                }

                """
        }
        specs += ["'1: :->command'", "'*:: :->rest'"]
        let rows = commands.map { "'\($0.name):\(described($0.summary))'" }
        let cases = commands.map { "    \($0.name)) \(name("\(node.path) \($0.name)")) ;;" }
        return """
            \(name(node.path))() {
                local curcontext=$curcontext state state_descr line
                typeset -A opt_args
                _arguments -C -s -S \(joined(specs)) && return
                case $state in
                command)
                    local -a commands
                    commands=(
                        \(rows.joined(separator: "\n            "))
                    )
                    _describe -t commands command commands
                    ;;
                rest)
                    curcontext=${curcontext%:*:*}:\(program)-$line[1]:
                    case $line[1] in
                \(cases.joined(separator: "\n    "))
                    esac
                    ;;
                esac
            }

            """
    }

    private func joined(_ specs: [String]) -> String {
        "\\\n        " + specs.joined(separator: " \\\n        ")
    }

    private func spec(_ option: Option) -> String {
        let excluded = option.excludes.map { "--\($0)" }
        let words = option.isRepeated ? excluded : option.spellings + excluded
        let prefix =
            (option.isRepeated ? "*" : "")
            + (words.isEmpty ? "" : "(\(words.joined(separator: " ")))")
        let value =
            option.valueName.map {
                (option.isValueOptional ? "::" : ":")
                    + "\(described($0)):\(action(option.completion, option.type))"
            } ?? ""
        let help = "[\(described(option.help.firstSentence))]\(value)"
        let long = option.spelling + (option.isFlag ? "" : "=")
        guard let short = option.short else { return "'\(prefix)\(long)\(help)'" }
        return "'\(prefix)'{-\(short)\(option.isFlag ? "" : "+"),\(long)}'\(help)'"
    }

    private func spec(_ number: Int, _ argument: Argument) -> String {
        let place =
            switch argument.count {
            case .one: "\(number):"
            case .optional: "\(number)::"
            case .oneOrMore: "*:"
            }
        return "'\(place)\(described(argument.name)):\(action(argument.completion, argument.type))'"
    }

    private func action(_ completion: Completion, _ type: ValueType) -> String {
        if case .choice(let words) = type { return "(\(words.joined(separator: " ")))" }
        switch completion {
        case .none: return " "
        case .files: return "_files"
        case .folders: return "_files -/"
        // The space prevents `_arguments` from inserting its own options before the kind.
        case .dynamic(let kind): return " _\(program)_list \(kind)"
        }
    }

    /// Text inside a specification in single quotes, where brackets and colons mean something.
    private func described(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "'": result += "'\\''"
            case ":", "[", "]", "\\": result += "\\\(character)"
            default: result.append(character)
            }
        }
        return result
    }
}
