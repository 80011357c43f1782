import FileNames
import FoundationEssentials
import HTTPClient

extension SinkDefinition.Kind {
    /// Any service that takes the document and its data in one request.
    public static let webhook = Self(
        "webhook", "sends the document and its data to any service in one request",
        reach: .network(webSchemes),
        settings: SinkSetting.web() + [
            SinkSetting(
                .form,
                "multipart sends a form with the document and its data, json the data with the text, put the file alone",
                choices: SinkDefinition.Form.allCases.map(\.rawValue))
        ],
        example: .init("--url", "https://host.example/hook", "--form", "put")
    ) { (definition, tools) throws(DeliveryError) in
        WebhookDeliverer(definition: definition, service: try tools.service(definition))
    }
}

/// Delivers a document to any service with one request per file.
///
/// The header `Idempotency-Key` is the same at every try
/// (draft-ietf-httpapi-idempotency-key-header), so that a service that knows it accepts a document
/// only once, even if its answer was lost.
struct WebhookDeliverer: Deliverer {
    let definition: SinkDefinition
    let service: Service

    func attempt(
        _ item: inout OutboxItem, in folder: String,
        save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws(DeliveryError) -> DeliveryAttempt {
        let form = definition.form ?? .multipart
        // If a document has several files, such as one picture per page, those that have arrived
        // are not sent again.
        let files = form == .json ? Array(item.files.prefix(1)) : item.files
        for (index, file) in files.enumerated().dropFirst(item.sentFiles) {
            let doubt = PossibleRepeat(&item)
            try save(item)
            let response: WebAnswer
            do {
                response = try send(file, of: item, at: index, in: folder, form)
            } catch {
                if !error.mayHaveArrived { doubt.settle(&item) }
                return service.attempt(after: error)
            }
            if doubt.isThere { item.progress["twice"] = "yes" }
            item.progress["trying"] = nil
            guard (200..<300).contains(response.status) else {
                return service.attempt(after: response)
            }
            definition.readFields(response.json, into: &item)
            if let id = response.json?["id"]?.words { item.progress["id"] = String(id.prefix(200)) }
            item.progress["sent"] = String(index + 1)
            try save(item)
        }
        return .delivered(
            RemoteReceipt(
                location: service.address.shown, remoteID: item.progress["id"],
                notes: item.progress["twice"] == nil
                    ? []
                    : ["The document may have been sent twice, with the same Idempotency-Key."]))
    }

    private func send(
        _ file: OutboxItem.File, of item: OutboxItem, at index: Int, in folder: String,
        _ form: SinkDefinition.Form
    ) throws(HTTPFailure) -> WebAnswer {
        let key = [("Idempotency-Key", item.files.count == 1 ? item.id : "\(item.id)-\(index + 1)")]
            .map { (name: $0.0, value: $0.1) }
        let url = service.address.text
        switch form {
        case .multipart:
            return try service.send(
                "POST", url, headers: key,
                body: .form([
                    .file("document", file, in: folder), .text("metadata", metadata(item)),
                ]))
        case .json:
            return try service.send(
                "POST", url, headers: key,
                body: .bytes(Array(metadata(item).utf8), mediaType: "application/json"))
        case .put:
            return try service.send(
                "PUT", url, headers: key,
                body: .file(path: folder + "/" + file.name, mediaType: file.mediaType))
        }
    }

    private func metadata(_ item: OutboxItem) throws(HTTPFailure) -> String {
        let metadata = Metadata(
            id: item.id, title: item.title, type: item.type,
            created: Timestamp(seconds: item.created).iso8601,
            pages: item.pages, text: item.text, sha256: item.files.first?.sha256)
        return try jsonText(metadata)
    }

    private struct Metadata: Encodable {
        var id: String
        var title: String
        var type: String?
        var created: String
        var pages: Int
        var text: String?
        var sha256: String?
    }

    func test() throws(DeliveryError) -> String {
        // Many hooks only accept POST, so this tests only whether they answer.
        try service.test("OPTIONS", service.address.text, allowed: [400, 405, 501])
    }
}
