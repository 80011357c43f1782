import FileNames
import FoundationEssentials
import HTTPClient

extension SinkDefinition.Kind {
    /// A Docspell server, by the upload address of a source.
    public static let docspell = Self(
        "docspell", "uploads to Docspell, by the id of a source",
        reach: .network(webSchemes),
        settings: [
            SinkSetting(.url, "the server's address, https://host", isNeeded: true),
            SinkSetting(.token, "the last part of a source's upload address", isNeeded: true),
            .parameter("folder", "the name or id of a folder"),
            .parameter("tags", "names of tags, with commas between"),
        ],
        example: .init("--url", "https://docspell.example", "--token-file", "source.txt"),
        check: { (sink) throws(DeliveryError) in
            let id = sink.token ?? ""
            guard !id.isEmpty,
                id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
            else {
                throw DeliveryError(
                    .invalidOption,
                    "The id of a source has letters, digits and hyphens only. Give the part after /upload/item/."
                )
            }
        }
    ) { (definition, tools) throws(DeliveryError) in
        var plain = definition
        // The id is part of the path, not of a header.
        plain.token = nil
        return DocspellDeliverer(
            definition: definition,
            service: try tools.service(plain).keeping(definition.secrets))
    }
}

/// Uploads to Docspell (`POST /api/v1/open/upload/item/ID`).
///
/// The server is asked to skip files that it has, so an upload may be repeated.
struct DocspellDeliverer: Deliverer {
    let definition: SinkDefinition
    let service: Service

    private struct Meta: Encodable {
        struct Tags: Encodable { var items: [String] }
        var multiple = false
        var skipDuplicates = true
        var folder: String?
        var tags: Tags?
    }

    func attempt(
        _ item: inout OutboxItem, in folder: String,
        save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws(DeliveryError) -> DeliveryAttempt {
        let tags = (definition.parameter("tags") ?? "").split(separator: ",").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        let meta = Meta(
            folder: definition.parameter("folder"), tags: tags.isEmpty ? nil : .init(items: tags))
        let files = item.files.map { WebRequest.Part.file("file", $0, in: folder) }
        let response: WebAnswer
        do {
            response = try service.send(
                "POST",
                service.address.appending("api/v1/open/upload/item/\(definition.token ?? "")"),
                body: .form([.text("meta", jsonText(meta))] + files))
        } catch {
            return service.attempt(after: error)
        }
        guard (200..<300).contains(response.status) else { return service.attempt(after: response) }
        guard response.json?["success"]?.words == "true" else {
            return .refused(
                "\(service.address.origin) did not accept the document\(ForeignWords.quoted(response.excerpt))"
            )
        }
        return .delivered(RemoteReceipt(location: service.address.shown))
    }

    func test() throws(DeliveryError) -> String {
        try service.test("GET", service.address.appending("api/info/version"))
    }
}
