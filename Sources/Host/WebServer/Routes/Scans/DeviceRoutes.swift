import CaptureHost
import CaptureKit
import FileNames
import FoundationEssentials
import HTTPServer
import Listings
import ScanService

/// `/api/v1/devices`: the scanners, cameras and folders.
struct DeviceRoutes {
    let context: ServerContext

    private struct OptionsJSON: Encodable {
        var device: String
        var options: [DeviceOption]
    }

    /// Settings to try without a scan.
    private struct SettingsRequest: Decodable {
        var common: CommonSettings?
        var settings: DeviceSettings?

        static let schema = Schema.record(
            optional: [
                "common": .nullable(CommonSettings.schema),
                "settings": .nullable(.dictionary(.string(pattern: "^[^/]*$"))),
            ])
    }

    private struct CheckedJSON: Encodable {
        struct Problem: Encodable {
            var option: String?
            var code: String
            var message: String
            var advice: String?
        }
        var options: [DeviceOption]
        var problems: [Problem]

        init(_ trial: OptionTrial) {
            options = trial.options.map(\.withoutPaths)
            problems = trial.faults.map {
                Problem(
                    option: $0.option, code: $0.error.code.rawValue,
                    message: PlaceNames.removed(from: $0.error.message),
                    advice: $0.error.advice.map(PlaceNames.removed))
            }
        }

        static let schema = Schema.record([
            "options": .array(.reference("Option")),
            "problems": .array(
                .record(
                    ["code": .string(), "message": .string()],
                    optional: ["option": .string(), "advice": .string()])),
        ])
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/devices", needs: .scan, group: "Devices",
                "List scanners and cameras",
                answers: [
                    .init(
                        status: 200,
                        summary: "The devices, and why some backends could not list theirs",
                        schema: .record([
                            "devices": .array(.reference("Device")),
                            "problems": .array(.reference("DeviceProblem")),
                        ]))
                ],
                work: { [context] _ in
                    try .json(
                        DevicesJSON(await context.host.listDevices()).cleaned(PublicView.words))
                }
            ),
            Route(
                "GET", "/api/v1/devices/{id}", needs: .scan, group: "Devices", "Show a device",
                answers: [.init(status: 200, summary: "The device", schema: .reference("Device"))],
                problems: [404, 409, 502],
                work: { [context] call in
                    let device = try await context.device(call["id"])
                    return try .json(DevicesJSON.Device(device).cleaned(PublicView.words))
                }),
            Route(
                "GET", "/api/v1/devices/{id}/options", needs: .scan, group: "Devices",
                "List a device's options and the values they accept",
                answers: [
                    .init(
                        status: 200, summary: "The options",
                        schema: .record([
                            "device": .string(), "options": .array(.reference("Option")),
                        ]))
                ], problems: [404, 409, 502],
                work: { [context] call in
                    let device = try await context.host.open(context.device(call["id"]))
                    let options: [DeviceOption]
                    do { options = try await device.options() } catch {
                        await device.close()
                        throw error
                    }
                    await device.close()
                    return try .json(
                        OptionsJSON(
                            device: device.device.id, options: options.map(\.withoutPaths)))
                }),
            Route(
                "POST", "/api/v1/devices/{id}/check", needs: .scan, group: "Devices",
                "Try settings on a device without scanning: those it rejects, and its options afterward",
                body: SettingsRequest.schema,
                answers: [
                    .init(
                        status: 200, summary: "The options, and every setting that was rejected",
                        schema: CheckedJSON.schema)
                ], problems: [404, 409, 415, 422, 500, 502],
                work: { [context] call in
                    let request = try call.decoded(SettingsRequest.self)
                    return try .json(
                        CheckedJSON(
                            await context.service.trial(
                                of: context.device(call["id"]),
                                common: (request.common ?? CommonSettings()).checked(),
                                settings: (request.settings ?? DeviceSettings([])).checked())))
                }),
        ]
    }
}

extension DeviceOption {
    /// The option with names instead of the paths of the host's files.
    fileprivate var withoutPaths: DeviceOption {
        var option = self
        (option.value, option.defaultValue) = (value?.withoutPath, defaultValue?.withoutPath)
        return option
    }
}

extension OptionValue {
    fileprivate var withoutPath: OptionValue {
        guard case .text(let text) = self else { return self }
        return .text(PlaceNames.name(of: text))
    }
}

extension ServerContext {
    /// The device with that name or alias, among the listed ones.
    ///
    /// Devices that are opened by a path are excluded: a path from the network never reaches the
    /// file system.
    func device(_ name: String) async throws -> ListedDevice {
        let device = try await host.findListed(name)
        guard device.descriptor.kind != .files else {
            throw Problem.noSuchThing("device", name, "See /api/v1/devices for the list.")
        }
        return device
    }
}
