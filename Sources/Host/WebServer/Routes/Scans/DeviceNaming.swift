import CaptureHost
import ExpectedFailures
import FileNames
import HTTPServer

/// `/api/v1/aliases` and `/api/v1/default-device`: the user's names for devices, and the default
/// device.
struct DeviceNaming {
    let context: ServerContext

    private struct Order: Decodable {
        var device: String

        static let schema = Schema.record([
            "device": .string(description: "The device's id or name")
        ])
    }

    private struct AliasesJSON: Encodable {
        var aliases: [String: String]
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/aliases", needs: .scan, group: "Devices",
                "List the names of devices, including absent ones",
                answers: [
                    .init(
                        status: 200, summary: "The devices' ids by the names",
                        schema: .record(["aliases": .dictionary(.string())]))
                ], problems: [500],
                work: { [context] _ in
                    let aliases = try await context.host.aliases()
                    return try .json(AliasesJSON(aliases: aliases.mapValues(PlaceNames.name)))
                }),
            Route(
                "PUT", "/api/v1/aliases/{alias}", needs: .admin, group: "Devices",
                "Give a device a lasting name, taking it from the device that had it",
                body: Order.schema,
                answers: [.init(status: 204, summary: "The device has the name", type: nil)],
                problems: [404, 409, 415, 422, 500, 502],
                work: { [self] call in
                    let device = try await context.device(call.decoded(Order.self).device)
                    try await context.host.setAlias(call["alias"], for: device.id)
                    try await announce(device.id)
                    return .done
                }),
            Route(
                "DELETE", "/api/v1/aliases/{alias}", needs: .admin, group: "Devices",
                "Remove a name",
                answers: [.init(status: 204, summary: "No device has the name", type: nil)],
                problems: [404, 500],
                work: { [self] call in
                    let alias = call["alias"]
                    guard let id = try await context.host.aliases()[alias] else {
                        throw Problem.noSuchThing(
                            "alias", alias, "See /api/v1/aliases for the list.")
                    }
                    try await context.host.removeAlias(alias)
                    try await announce(id)
                    return .done
                }),
            Route(
                "PUT", "/api/v1/default-device", needs: .admin, group: "Devices",
                "Set the device that is used when none is named", body: Order.schema,
                answers: [.init(status: 204, summary: "The device is the default", type: nil)],
                problems: [404, 409, 415, 422, 500, 502],
                work: { [self] call in
                    let device = try await context.device(call.decoded(Order.self).device)
                    try await context.host.setDefault(device.id)
                    try await announce(device.id)
                    return .done
                }),
            Route(
                "DELETE", "/api/v1/default-device", needs: .admin, group: "Devices",
                "Clear the default device",
                answers: [.init(status: 204, summary: "There is no default device", type: nil)],
                problems: [500],
                work: { [context] _ in
                    try await context.host.setDefault(nil)
                    return .done
                }),
        ]
    }

    /// Reports a device's present aliases; an absent device is reported when it returns.
    private func announce(_ id: String) async throws {
        guard let device = await ifStillThere({ try await context.device(id) }) else { return }
        ServerContext.publish(.changed(device), to: context.events)
    }
}
