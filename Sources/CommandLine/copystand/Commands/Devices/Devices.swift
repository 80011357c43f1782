import BlockingWork
import CaptureHost
import CaptureKit
import CommandLine
import HostClient
import Listings

/// `copystand devices`: lists the sources of pages.
enum DevicesCommand {
    static let backend = Option(
        "backend", short: "b", value: "ID", .name, help: "Ask this backend only.",
        completion: .dynamic("backends"))
    static let follow = Option(
        flag: "follow", help: "Keep running, and show devices that come and go, until Ctrl-C.")

    static let command = Command(
        name: "devices", summary: "List scanners and cameras",
        discussion: """
            Asks every backend for its devices. On a terminal devices are shown as they are found. \
            A backend or driver that fails is reported, and the devices of the others are listed.

            With --json the result is an object with "devices", each with "id", "backend", "name", \
            "kind", "sources", "state", "aliases", "isDefault" and, where known, "vendor", \
            "model", "connection", "maximumArea" (in millimeters), "advice" and, of cameras, \
            "path", "format" (the best) and "controls" (the options that are set most often; \
            'copystand options' lists all); and with "problems", each with "code", "message" and, \
            where known, "advice" and "backend".

            With --follow --json every line is an object with "event": "added" and "changed" have \
            a "device", \
            "removed" has an "id", "problem" has a "problem", and "listed" reports that all backends \
            have answered.
            """,
        examples: [
            Example("List all devices", "copystand devices"),
            Example("Only the names", "copystand devices --json | jq -r '.devices[].id'"),
            Example("See a scanner appear when it is plugged in", "copystand devices --follow"),
        ],
        options: [backend, follow, SharedOptions.json]
            + HostOptions.all(without: ["backend", "follow"]),
        handler: handler(run))

    private static func run(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        let backend = arguments.text(backend)
        if arguments.isGiven(follow) {
            let isJSON = arguments.isGiven(SharedOptions.json)
            return try await DeviceFollower(console, isJSON: isJSON).run(backend)
        }
        let isLive = console.output.isTerminal && !arguments.isGiven(SharedOptions.json)
        let listing =
            if let host = try HostOptions.connection(arguments, console) {
                try await onOwnThread {
                    try host.get("/api/v1/devices", as: DevicesJSON.self).listing
                }
            } else {
                try await withCaptureHost(console) { host in
                    isLive
                        ? try await grow(host, backend, console)
                        : await host.listDevices(backend: backend)
                }
            }
        try Task.checkCancellation()
        if arguments.isGiven(SharedOptions.json) {
            try console.json(DevicesJSON(listing))
        } else {
            try console.result(DeviceTable(devices: listing.devices).text(for: console.output))
        }
        write(listing, console)
        // A backend's failure is only a warning, unless that backend was the only requested one and
        // found nothing.
        guard backend != nil, listing.devices.isEmpty, let problem = listing.problems.first else {
            return .done
        }
        return ErrorMessages.explain(problem).code
    }

    /// Shows the growing table, and removes it at the end; returns the whole listing.
    private static func grow(
        _ host: CaptureHost, _ backend: String?, _ console: Console
    ) async throws -> DeviceListing {
        var roll = DeviceList()
        var live = LiveText(console)
        let waiting = console.output.styled("Looking for devices…", .faint) + "\n"
        try live.draw(waiting)
        for await event in host.deviceEvents(backend: backend) where roll.take(event) {
            let table = DeviceTable(devices: roll.devices).text(for: console.output)
            try live.draw(table + waiting)
        }
        try live.clear()
        return roll.listing
    }

    private static func write(_ listing: DeviceListing, _ console: Console) {
        for device in listing.devices {
            if let advice = device.descriptor.advice { console.say("\(device.id): \(advice)") }
        }
        for problem in listing.problems { console.warn(problem) }
        if listing.devices.isEmpty && listing.problems.isEmpty {
            console.say("No device was found. See what may be missing with: copystand doctor")
        }
    }
}
