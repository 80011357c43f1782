import BlockingWork
import Documents
import FileNames
import FoundationEssentials
import HTTPServer
import Processing
import ScannerSharing

/// `/api/v1/shares`: the devices that are shared with the network.
struct ShareRoutes {
    let context: ServerContext

    private struct SharesJSON: Encodable {
        struct Share: Encodable {
            var device: String
            var name: String
            var profile: String?
            var readsText: Bool
            var lastUsed: String?
            var lastAddress: String?
            var lastPages: Int?

            /// - Parameter showsUse: false for those whom the scans of others do not concern.
            init(_ share: SharingSettings.Share, showsUse: Bool) {
                (device, name) = (PlaceNames.name(of: share.device), share.name)
                (profile, readsText) = (share.profile, share.readsText ?? false)
                guard showsUse else { return }
                lastUsed = share.lastUse.map {
                    Date(timeIntervalSince1970: $0.time).writable.formatted(.iso8601)
                }
                (lastAddress, lastPages) = (share.lastUse?.address, share.lastUse?.pages)
            }
        }
        var shares: [Share]
        var isServed: Bool

        static let schema = Schema.record([
            "shares": .array(
                .record(
                    ["device": .string(), "name": .string(), "readsText": .boolean],
                    optional: [
                        "profile": .string(), "lastUsed": .string(), "lastAddress": .string(),
                        "lastPages": .integer(),
                    ])),
            "isServed": .boolean,
        ])
    }

    private struct Order: Decodable {
        var profile: String?
        var readsText: Bool?

        static let schema = Schema.anyOf([
            "profile": .string(
                description:
                    "The profile whose steps change the pages' pictures; 'none' changes nothing"),
            "readsText": .boolean,
        ])
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/shares", needs: .scan, group: "Devices",
                "List the devices that are shared, for administrators who scanned from them last, and whether this host serves them",
                answers: [
                    .init(
                        status: 200,
                        summary:
                            "The shares; they are served by a host that was started with --share",
                        schema: SharesJSON.schema)
                ], problems: [500],
                work: { [context] call in
                    try await .json(
                        SharesJSON(
                            shares: onOwnThread { () throws(any Error) in
                                try context.shares.shares().map {
                                    SharesJSON.Share($0, showsUse: call.scope == .admin)
                                }
                            }, isServed: context.servesShares))
                }),
            Route(
                "PUT", "/api/v1/shares/{device}", needs: .admin, group: "Devices",
                "Share a device with every machine on the network",
                answers: [.init(status: 204, summary: "It is shared", type: nil)],
                problems: [404, 409, 422, 500, 502],
                work: { [self] call in
                    let device = try await context.device(call["device"])
                    try await change { try $0.share(device) }
                    return .done
                }),
            Route(
                "PATCH", "/api/v1/shares/{device}", needs: .admin, group: "Devices",
                "Choose what is done with the pages of a shared device; it need not be connected",
                body: Order.schema,
                answers: [.init(status: 204, summary: "The next scan uses it", type: nil)],
                problems: [404, 415, 422, 500],
                work: { [self] call in
                    let (device, order) = (call["device"], try call.decoded(Order.self))
                    guard order.profile != nil || order.readsText != nil else {
                        throw Problem.noChange("Give 'profile' or 'readsText'.")
                    }
                    if let profile = order.profile { _ = try context.profiles.load(profile) }
                    let isShared = try await change {
                        try $0.change(
                            device, profile: order.profile, readsText: order.readsText)
                    }
                    guard isShared else {
                        throw Problem.noSuchThing(
                            "share", device, "See /api/v1/shares for the list.")
                    }
                    return .done
                }),
            Route(
                "DELETE", "/api/v1/shares/{device}", needs: .admin, group: "Devices",
                "Stop sharing a device; it need not be connected",
                answers: [.init(status: 204, summary: "It is no longer shared", type: nil)],
                problems: [404, 500],
                work: { [self] call in
                    let device = call["device"]
                    guard try await change({ try $0.remove(device: device) }) else {
                        throw Problem.noSuchThing(
                            "share", device, "See /api/v1/shares for the list.")
                    }
                    return .done
                }),
        ]
    }

    /// Changes the registry outside of the cooperative pool, because another process may have
    /// locked it, and notifies listeners.
    @discardableResult
    private func change<Value: Sendable>(
        _ work: @escaping @Sendable (SharingSettings) throws -> Value
    ) async throws -> Value {
        let value = try await onOwnThread { [context] () throws(any Error) in
            try work(context.shares)
        }
        context.events.publish("shares", "{}")
        return value
    }
}
