import CaptureHost
import CaptureKit
import CommandLine
import Documents
import FoundationEssentials
import Processing
import ScannerSharing

/// `copystand share`: lists and changes the devices that are scanners for the whole network.
enum ShareCommand {
    private static let device = Argument(
        "DEVICE", .optional, .name, help: SharedOptions.device.help,
        completion: .dynamic("devices"))
    private static let stop = Option(flag: "stop", help: "Stop sharing the device.")
    private static let name = Option(
        "name", value: "NAME", .name,
        help: "The name under which others find it; the device's own unless given.")

    private static let profile = Option(
        "profile", value: "PROFILE", .name,
        help:
            "The profile whose steps change the pages' pictures. Unless given: document for a camera; none, which changes nothing, for a scanner."
    )
    private static let text = Option(
        "text", value: "WHETHER", .choice(["on", "off"]),
        help: "Whether the PDFs that others ask for can be searched; off unless given.")

    static let command = Command(
        name: "share", summary: "Let every machine on the network scan from a device",
        discussion: """
            A shared device is an ordinary driverless scanner (eSCL, also known as AirScan) to \
            macOS, Windows, Android and Linux while 'copystand serve --share' runs. It notices \
            changes at once.

            Nothing is shared unless you ask for it. Then everyone on the networks of this \
            machine's interfaces may scan, because programs that scan this way can't send a token. \
            They get pages from the device, and no access to anything else.

            A camera is shared as a flatbed: a page that lies still under it within 20 seconds is \
            flattened, and sent in the size \
            that was asked for. A scanner's pages are sent as they are, unless you choose a \
            profile that crops or straightens them. When you share a device again, options that \
            you leave out stay as they were.

            With --json the result is an object with "shares", each with "device", "name", \
            "address" and "uuid", "profile" and "readsText" where they are chosen, and "lastUse" \
            once someone has scanned.
            """,
        examples: [
            Example("List the shared devices and their last users", "copystand share"),
            Example("Share a scanner", "copystand share epson"),
            Example(
                "Straighten its pages, and make PDFs searchable",
                "copystand share epson --profile document --text on"),
            Example("Stop sharing it", "copystand share --stop epson"),
            Example("Serve what is shared", "copystand serve --share"),
        ], arguments: [device], options: [stop, name, profile, text, SharedOptions.json],
        handler: handler(run))

    private static func run(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        let sharing = try SharingSettings.standard(environment: ProcessInfo.processInfo.environment)
        guard let wanted = arguments.text(device) else {
            return try list(sharing, arguments, console)
        }
        if arguments.isGiven(stop) { return try await end(wanted, sharing, console) }
        let found = try await withCaptureHost(console) { try await $0.find(wanted) }
        let steps = arguments.text(profile)
        if let steps {
            _ = try ProfileLibrary(environment: ProcessInfo.processInfo.environment).load(steps)
        }
        let share = try sharing.share(
            found, name: arguments.text(name), profile: steps,
            readsText: arguments.text(text).map { $0 == "on" })
        console.say(
            "\(share.name) (\(share.device)) is shared while 'copystand serve --share' runs.")
        return .done
    }

    /// Stops sharing a device, which need not be connected.
    private static func end(_ wanted: String, _ sharing: SharingSettings, _ console: Console)
        async throws
        -> ExitCode
    {
        let shares = try sharing.shares()
        var device = shares.first { $0.device == wanted || $0.name == wanted }?.device
        if device == nil {
            device = try await withCaptureHost(console) { try await $0.find(wanted) }.id
        }
        guard let device, try sharing.remove(device: device) else {
            throw HostError(
                .noSuchDevice, "'\(wanted)' is not shared",
                advice: "See what is shared with: copystand share")
        }
        console.say("\(device) is no longer shared.")
        return .done
    }

    private struct SharesJSON: Encodable {
        struct Share: Encodable {
            var share: SharingSettings.Share
            var address: String

            func encode(to encoder: any Encoder) throws {
                try share.encode(to: encoder)
                var fields = encoder.container(keyedBy: Key.self)
                try fields.encode(address, forKey: .address)
            }

            private enum Key: CodingKey { case address }
        }
        var shares: [Share]
    }

    private static func list(
        _ sharing: SharingSettings, _ arguments: ParsedArguments, _ console: Console
    )
        throws -> ExitCode
    {
        let shares = Array(zip(try sharing.shares(), try sharing.addresses()))
        if arguments.isGiven(SharedOptions.json) {
            try console.json(
                SharesJSON(shares: shares.map { SharesJSON.Share(share: $0, address: $1) }))
            return .done
        }
        if shares.isEmpty {
            console.say("Nothing is shared. Share a device with: copystand share DEVICE")
            return .done
        }
        var table = Table([
            .init("DEVICE"), .init("NAME"), .init("ADDRESS"), .init("LAST USED"), .init("BY"),
        ])
        for (share, address) in shares {
            let time = share.lastUse.map {
                Date(timeIntervalSince1970: $0.time).writable.formatted(.iso8601)
            }
            table.add([
                share.device, share.name, address, time ?? "never", share.lastUse?.address ?? "",
            ])
        }
        try console.result(table.text(for: console.output))
        return .done
    }
}
