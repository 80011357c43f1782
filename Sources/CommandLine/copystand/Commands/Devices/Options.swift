import CaptureHost
import CaptureKit
import CommandLine

/// `copystand options`: lists a device's options.
enum OptionsCommand {
    static let command = Command(
        name: "options", summary: "List a device's options and the values they accept",
        discussion: """
            Opens the device and lists its options, their current values, and the values they \
            accept, for 'scan --set OPTION=VALUE'.

            With --json the result is an object with "device", the device's id, and "options", \
            each with "name", \
            "title", "help", "type" (an object with "kind" and what belongs to it: "minimum", \
            "maximum", "step", \
            "choices", "maximumLength"), "isActive", "isReadOnly", "isAdvanced" and, where it has \
            them, "group", \
            "unit", "defaultValue" and "value".
            """,
        examples: [
            Example("See what the flatbed accepts", "copystand options virtual:flatbed"),
            Example(
                "Then use it", "copystand scan -d virtual:flatbed --set resolution=300 -o page.pdf"),
        ],
        arguments: [SharedOptions.device], options: [SharedOptions.json],
        handler: handler(run))

    /// The output of `options --json`.
    private struct OptionsJSON: Encodable {
        var device: String
        var options: [DeviceOption]
    }

    private static func run(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        let name = arguments.text(SharedOptions.device).map(absoluteDevice)
        let (id, options) = try await withCaptureHost(console) { host in
            let device = try await host.open(host.find(name))
            let options = try await device.options()
            await device.close()
            return (device.device.id, options)
        }
        if arguments.isGiven(SharedOptions.json) {
            try console.json(OptionsJSON(device: id, options: options))
        } else if options.isEmpty {
            console.say("\(id) has no options.")
        } else {
            try console.result(OptionsPage(options: options, terminal: console.output).text)
        }
        return .done
    }
}
