import CommandLine
import Delivery

/// `copystand sinks addresses`: the address book of e-mail.
enum SinkAddresses {
    private static let name = Argument(
        "NAME", .one, .name, help: "What to call it: lowercase letters, digits and hyphens.")
    private static let addresses = Argument(
        "ADDRESS", .oneOrMore, .name, help: "An e-mail address; several make a group.")

    static let command = Command(
        name: "addresses", summary: "List the names of the address book, for e-mail",
        discussion: """
            Each name stands for an e-mail address, or for several. 'scan --sink email:NAME' sends \
            there, through the sink of the kind 'email'.

            With --json the result is an object with "addresses": each name with a list of \
            addresses.
            """,
        examples: [
            Example("List the names", "copystand sinks addresses"),
            Example("Somebody", "copystand sinks addresses add bob bob@example.org"),
            Example(
                "A group", "copystand sinks addresses add board ada@example.org bob@example.org"),
        ],
        options: [SharedOptions.json], subcommands: [add, remove], handler: handler(list))

    private static let add = Command(
        name: "add", summary: "Give an address a name",
        examples: [Example("Somebody", "copystand sinks addresses add bob bob@example.org")],
        arguments: [name, addresses],
        handler: handler { arguments, console in
            let name = arguments.text(name) ?? ""
            var registry = try SinksCommand.registry()
            try registry.change { try $0.call(name, arguments.texts(addresses)) }
            console.say("Documents can now go to 'email:\(name)'.")
            return .done
        })

    private static let remove = Command(
        name: "remove", summary: "Forget a name",
        examples: [Example("Forget it", "copystand sinks addresses remove bob")],
        arguments: [name],
        handler: handler { arguments, console in
            let name = arguments.text(name) ?? ""
            var registry = try SinksCommand.registry()
            try registry.change { try $0.forget(name) }
            console.say("The name '\(name)' is removed.")
            return .done
        })

    private struct AddressesJSON: Encodable {
        var addresses: [String: [String]]
    }

    private static func list(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws -> ExitCode {
        let known = try SinksCommand.registry().list.addresses.mapValues {
            $0.split(separator: ",").map(String.init)
        }
        if arguments.isGiven(SharedOptions.json) {
            try console.json(AddressesJSON(addresses: known))
            return .done
        }
        if known.isEmpty {
            console.say(
                "The address book is empty. Add a name with: copystand sinks addresses add NAME ADDRESS"
            )
            return .done
        }
        var table = Table([.init("NAME"), .init("ADDRESS", minimumWidth: 20)])
        for (name, list) in known.sorted(by: { $0.key < $1.key }) {
            table.add([name, list.joined(separator: ", ")])
        }
        try console.result(table.text(for: console.output))
        return .done
    }
}
