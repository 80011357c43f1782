import FileNames
import HTTPClient

extension SinkDefinition.Kind {
    /// An Immich server, which keeps photos.
    public static let immich = Self(
        "immich", "sends each page as a photo to Immich",
        reach: .network(webSchemes),
        settings: [
            SinkSetting(.url, "the server's address, https://host", isNeeded: true),
            SinkSetting(.token, "an API key of the user", isNeeded: true),
        ],
        format: "jpg",
        example: .init("--url", "https://photos.example", "--token-file", "key.txt")
    ) { (definition, tools) throws(DeliveryError) in
        var plain = definition
        // The server treats a token in Authorization as a session's, and refuses an API key there.
        plain.token = nil
        return ImmichDeliverer(
            service: try tools.service(plain).keeping(definition.secrets),
            key: definition.token ?? "")
    }
}

/// Delivers pictures to Immich (`POST /api/assets`), with one request per page.
///
/// The server recognizes a picture by its SHA-1 and answers `duplicate`, so an upload may be
/// repeated.
struct ImmichDeliverer: Deliverer {
    let service: Service
    let key: String

    func attempt(
        _ item: inout OutboxItem, in folder: String,
        save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws(DeliveryError) -> DeliveryAttempt {
        for (index, file) in item.files.enumerated().dropFirst(item.sentFiles) {
            let time = Timestamp(seconds: item.created).iso8601
            let response: WebAnswer
            do {
                response = try service.send(
                    "POST", service.address.appending("api/assets"), headers: [("x-api-key", key)],
                    body: .form([
                        .text("deviceAssetId", "\(item.id)-\(index + 1)"),
                        .text("deviceId", "copystand"), .text("fileCreatedAt", time),
                        .text("fileModifiedAt", time),
                        .file("assetData", file, in: folder),
                    ]))
            } catch {
                return service.attempt(after: error)
            }
            guard (200..<300).contains(response.status) else {
                return service.attempt(after: response)
            }
            guard let id = response.json?["id"]?.text else {
                return .later("\(service.address.origin) gave a picture no id", after: nil)
            }
            item.progress["id"] = String(id.prefix(200))
            item.progress["sent"] = String(index + 1)
            try save(item)
        }
        return .delivered(
            RemoteReceipt(location: service.address.shown, remoteID: item.progress["id"]))
    }

    func test() throws(DeliveryError) -> String {
        try service.test { () throws(HTTPFailure) in
            try service.send(
                "GET", service.address.appending("api/users/me"), headers: [("x-api-key", key)])
        }
    }
}
