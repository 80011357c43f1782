/// The completion script for bash, which needs no bash-completion package.
struct BashCompletion {
    private let program: String
    private let nodes: [CommandNode]

    init(_ root: Command) {
        program = root.name
        nodes = CommandNode.all(of: root)
    }

    var script: String {
        """
        # Completion of \(program) for bash, written by '\(program) completions bash'.

        # Puts the words up to the cursor together again, which bash divides at ':' and '='.
        _\(program)_words() {
            local line=$COMP_LINE piece i
            words=()
            for ((i = 0; i <= COMP_CWORD; i++)); do
                piece=${COMP_WORDS[i]}
                if ((i > 0)) && [[ $line == "$piece"* && $line != [[:space:]]* ]]; then
                    words[-1]+=$piece
                else
                    line=${line#"${line%%[![:space:]]*}"}
                    words+=("$piece")
                fi
                line=${line#"$piece"}
            done
        }

        # Offers the arguments that begin with what is typed, after $before.
        _\(program)_offer() {
            local word
            for word; do
                [[ $word == "$value"* ]] && COMPREPLY+=("$before$word")
            done
        }

        # Offers what the program lists.
        _\(program)_list() {
            local word rest
            while IFS=$'\\t' read -r word rest; do
                [[ $word == "$value"* ]] || continue
                COMPREPLY+=("$before$(printf '%q' "$word")")
                [[ $word == *= ]] && compopt -o nospace 2>/dev/null
            done < <(\(program) completions --values "$1" 2>/dev/null)
        }

        # Offers files, or folders with -d.
        _\(program)_paths() {
            local word
            compopt -o filenames 2>/dev/null
            while IFS= read -r word; do
                COMPREPLY+=("$before$word")
            done < <(compgen "$1" -- "$value")
        }

        # Offers values of an option; fails where it takes none.
        _\(program)_value() {
            case "$path $1" in
        \(valueCases)
            *) return 1 ;;
            esac
        }

        # Whether an option takes a value.
        _\(program)_takes() {
            case "$path $1" in
        \(takesCases)
            *) return 1 ;;
            esac
        }

        # Whether an option's value may be left out.
        _\(program)_optional() {
            case "$path $1" in
        \(optionalCases)
            *) return 1 ;;
            esac
        }

        # Offers a command's options.
        _\(program)_options() {
            case $path in
        \(nodes.map { offer($0.path, $0.options.map(\.spelling)) }.joined(separator: "\n"))
            esac
        }

        # Offers subcommands, or values of the positional argument number $1.
        _\(program)_arguments() {
            case "$path" in
        \(nodes.compactMap(argumentCase).joined(separator: "\n"))
            esac
        }

        _\(program)() {
            local words path=\(program) option='' only='' count=0 word before='' value
            COMPREPLY=()
            _\(program)_words
            for word in "${words[@]:1:${#words[@]}-2}"; do
                [[ $option && $word == -* ]] && _\(program)_optional "$option" && option=''
                if [[ $option ]]; then
                    option=''
                elif [[ $word == -- ]]; then
                    only=yes
                elif [[ $word == -* && ! $only ]]; then
                    _\(program)_takes "$word" && option=$word
                else
                    case "$path $word" in
                    \(pathPatterns)) path+=" $word" ;;
                    *) count=$((count + 1)) ;;
                    esac
                fi
            done
            value=${words[-1]}
            [[ $option && $value == -* ]] && _\(program)_optional "$option" && option=''
            if [[ $option ]]; then
                _\(program)_value "$option"
            elif [[ $value == --*=* && ! $only ]]; then
                option=${value%%=*} before=${value%%=*}= value=${value#*=}
                _\(program)_value "$option"
            elif [[ $value == -* && ! $only ]]; then
                _\(program)_options
            else
                _\(program)_arguments "$count"
            fi
            # Bash replaces only what stands after the last ':' or '='.
            local full=${words[-1]} last=${COMP_WORDS[COMP_CWORD]} i
            [[ $last == [:=]* ]] && last=${last##*[:=]}
            for i in "${!COMPREPLY[@]}"; do
                COMPREPLY[i]=${COMPREPLY[i]#"${full%"$last"}"}
            done
        }

        complete -F _\(program) \(program)

        """
    }

    // MARK: Cases

    private var pathPatterns: String {
        nodes.dropFirst().map { $0.path.quoted() }.joined(separator: " | ")
    }

    private var valueCases: String {
        lines { node, option in
            "    \(patterns(node, option))) \(action(option.completion, option.type)) ;;"
        }
    }

    private var takesCases: String {
        lines { node, option in "    \(patterns(node, option))) return 0 ;;" }
    }

    private var optionalCases: String {
        nodes.flatMap { node in
            node.options.filter(\.isValueOptional).map {
                "    \(patterns(node, $0))) return 0 ;;"
            }
        }.joined(separator: "\n")
    }

    private func lines(_ line: (CommandNode, Option) -> String) -> String {
        nodes.flatMap { node in node.options.filter { !$0.isFlag }.map { line(node, $0) } }
            .joined(separator: "\n")
    }

    private func patterns(_ node: CommandNode, _ option: Option) -> String {
        option.spellings.map { "\(node.path) \($0)".quoted() }.joined(separator: " | ")
    }

    private func offer(_ path: String, _ words: [String]) -> String {
        "    \(path.quoted())) _\(program)_offer \(words.map { $0.quoted() }.joined(separator: " ")) ;;"
    }

    private func argumentCase(_ node: CommandNode) -> String? {
        let commands = node.command.visibleSubcommands
        if !commands.isEmpty { return offer(node.path, commands.map(\.name)) }
        let cases = node.command.arguments.enumerated().map { index, argument in
            let number = argument.count == .oneOrMore ? "*" : "\(index)"
            return "\(number)) \(action(argument.completion, argument.type)) ;;"
        }
        guard !cases.isEmpty else { return nil }
        return "    \(node.path.quoted())) case $1 in \(cases.joined(separator: " ")) esac ;;"
    }

    private func action(_ completion: Completion, _ type: ValueType) -> String {
        if case .choice(let words) = type {
            return "_\(program)_offer \(words.map { $0.quoted() }.joined(separator: " "))"
        }
        switch completion {
        case .none: return ":"
        case .files: return "_\(program)_paths -f"
        case .folders: return "_\(program)_paths -d"
        case .dynamic(let kind): return "_\(program)_list \(kind.quoted())"
        }
    }
}
