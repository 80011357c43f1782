import CaptureHost
import CaptureKit
import CommandLine

/// `copystand device`: the default device, and your names for devices.
enum DeviceCommand {
    static let command = Command(
        name: "device", summary: "Set the default device, and give devices names of your own",
        discussion: """
            The names and the default device are kept in your configuration folder.
            """,
        subcommands: [defaultCommand, aliasCommand, unaliasCommand])

    // MARK: default

    static let chosen = Argument(
        "DEVICE", .optional, .name, help: "The device to use when none is named.",
        completion: .dynamic("devices"))
    static let clear = Option(flag: "clear", help: "Clear the default device.")

    static let defaultCommand = Command(
        name: "default", summary: "Show or set the device that is used when none is named",
        discussion: """
            Without DEVICE, prints the device that is used now: the default device, or the only one.
            """,
        examples: [
            Example("Use the Epson from now on", "copystand device default epson"),
            Example("See which one is used", "copystand device default"),
        ],
        arguments: [chosen], options: [clear],
        handler: handler(setDefault))

    private static func setDefault(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws -> ExitCode {
        let name = arguments.text(chosen)
        if arguments.isGiven(clear) {
            guard name == nil else {
                throw UsageError(
                    .conflict(with: clear.spelling), argument: chosen.name, path: arguments.path)
            }
            try await withCaptureHost(console) { try await $0.setDefault(nil) }
            console.say("There is no default device anymore.")
            return .done
        }
        let device = try await withCaptureHost(console) { host in
            let device = try await host.find(name.map(absoluteDevice))
            if name != nil { try await host.setDefault(device.id) }
            return device
        }
        if name == nil {
            try console.result(Sanitized.line(device.id) + "\n")
            console.say(
                device.isDefault
                    ? "It is the default device."
                    : "It is the only device there is; none is set as the default.")
        } else {
            console.say("The default device is now \(device.id) (\(device.descriptor.name)).")
        }
        return .done
    }

    // MARK: alias and unalias

    static let newName = Argument(
        "NAME", .one, .name, help: "Your name for the device, without a colon.")
    static let oldName = Argument("NAME", .one, .name, help: "The name to remove.")

    static let aliasCommand = Command(
        name: "alias", summary: "Give a device a lasting name of your own",
        examples: [Example("Call it 'desk'", "copystand device alias desk epson")],
        arguments: [newName, SharedOptions.device],
        handler: handler { arguments, console in
            let name = arguments.text(newName) ?? ""
            let device = try await withCaptureHost(console) { host in
                let device = try await host.find(
                    arguments.text(SharedOptions.device).map(absoluteDevice))
                try await host.setAlias(name, for: device.id)
                return device
            }
            console.say("\(device.id) (\(device.descriptor.name)) is now also called '\(name)'.")
            return .done
        })

    static let unaliasCommand = Command(
        name: "unalias", summary: "Remove a name that you gave",
        examples: [Example("Remove 'desk'", "copystand device unalias desk")],
        arguments: [oldName],
        handler: handler { arguments, console in
            let name = arguments.text(oldName) ?? ""
            try await withCaptureHost(console) { try await $0.removeAlias(name) }
            console.say("No device has the name '\(name)' anymore.")
            return .done
        })
}
