import CaptureHost
import CaptureKit
import CommandLine

/// `copystand devices`: lists what pages can come from.
enum DevicesCommand {
    static let backend = Option(
        "backend", short: "b", value: "ID", .name, help: "Ask this backend only.",
        completion: .dynamic("backends"))

    static let command = Command(
        name: "devices", summary: "List the scanners and cameras there are",
        discussion: """
            Asks every backend for its devices. A backend that fails is reported and the others are listed.

            With --json the result is an object with "devices", each with "id", "backend", "name", "kind", "sources", \
            "state", "aliases", "isDefault" and, where known, "vendor", "model", "connection", "maximumArea" (in \
            millimetres) and "advice"; and with "problems", each with "code", "message" and, where known, "advice" \
            and "backend".
            """,
        examples: [
            Example("List all devices", "copystand devices"),
            Example("The names alone", "copystand devices --json | jq -r '.devices[].id'"),
        ],
        options: [backend, SharedOptions.json],
        handler: handler(run))

    private static func run(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        let backend = arguments.text(backend)
        let listing = try await withCaptureHost(console) { host in
            await host.listDevices(backend: backend)
        }
        try Task.checkCancellation()
        if arguments.isGiven(SharedOptions.json) {
            try console.json(DevicesJSON(listing))
        } else {
            try console.result(table(listing.devices, console))
        }
        tell(listing, console)
        // One broken backend among several is a warning; the only one that was asked is the answer.
        guard backend != nil, let problem = listing.problems.first else { return .done }
        return ErrorMessages.explain(problem).code
    }

    private static func table(_ devices: [ListedDevice], _ console: Console) -> String {
        guard !devices.isEmpty else { return "" }
        var table = Table([
            .init("DEVICE", minimumWidth: 16), .init("NAME"), .init("KIND"), .init("SOURCES"),
            .init("STATE"), .init("CALLED"), .init("CONNECTION"),
        ])
        for device in devices {
            let descriptor = device.descriptor
            table.add([
                device.id, descriptor.name, descriptor.kind.rawValue,
                descriptor.sources.joined(separator: ", "), descriptor.state.words,
                (device.aliases + (device.isDefault ? ["(default)"] : [])).joined(separator: ", "),
                descriptor.connection ?? "",
            ])
        }
        return table.text(for: console.output)
    }

    private static func tell(_ listing: DeviceListing, _ console: Console) {
        for device in listing.devices {
            if let advice = device.descriptor.advice { console.say("\(device.id): \(advice)") }
        }
        for problem in listing.problems { console.warn(problem) }
        if listing.devices.isEmpty && listing.problems.isEmpty {
            console.say("No device was found. See what may be missing with: copystand doctor")
        }
    }
}

extension DeviceState {
    /// The state for people.
    var words: String {
        switch self {
        case .ready: "ready"
        case .busy: "busy"
        case .noPermission: "no permission"
        case .offline: "offline"
        }
    }
}
