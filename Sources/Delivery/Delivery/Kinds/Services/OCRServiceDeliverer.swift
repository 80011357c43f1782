import FileNames
import HTTPClient

extension SinkDefinition.Kind {
    /// A service that reads serial numbers off pictures (`POST /process-serial`), with one page per
    /// request.
    public static let ocrService = Self(
        "ocr-service", "sends each page as a picture to /process-serial",
        reach: .network(webSchemes),
        settings: SinkSetting.web() + [
            .parameter("preset", "how the service treats pictures, such as etched"),
            .parameter("device_type", "what the pictures show"),
        ],
        format: "jpg",
        example: .init("--url", "https://serials.example", "--parameter", "preset=etched")
    ) { (definition, tools) throws(DeliveryError) in
        OCRServiceDeliverer(definition: definition, service: try tools.service(definition))
    }
}

/// Delivers pictures to a service that reads serial numbers (`POST
/// {base}/process-serial?preset=…&device_type=…`, multipart `image`).
///
/// Each page is one request; the data of its JSON answer becomes the document's.
struct OCRServiceDeliverer: Deliverer {
    let definition: SinkDefinition
    let service: Service
    /// The maximum number of values of an answer that become fields, and the maximum size in
    /// bytes of their names.
    private static let mostFields = 200
    private static let longestName = 200

    func attempt(
        _ item: inout OutboxItem, in folder: String,
        save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws(DeliveryError) -> DeliveryAttempt {
        for (index, file) in item.files.enumerated().dropFirst(item.sentFiles) {
            let response: WebAnswer
            do {
                response = try service.send(
                    "POST", url, headers: [("Idempotency-Key", "\(item.id)-\(index + 1)")],
                    body: .form([.file("image", file, in: folder)]))
            } catch {
                return service.attempt(after: error)
            }
            guard (200..<300).contains(response.status) else {
                return service.attempt(after: response)
            }
            guard case .object(let answer) = response.json else {
                return .refused(
                    "\(service.address.origin) did not answer with a JSON object\(ForeignWords.quoted(response.excerpt))"
                )
            }
            if definition.fields == nil {
                // Without a mapping, all plain values of the answer are used under their names.
                for (name, value) in answer.sorted(by: { $0.key < $1.key }).prefix(Self.mostFields)
                where name.utf8.count <= Self.longestName {
                    item.fields[name] = value.words.map { String($0.prefix(4096)) }
                }
            }
            definition.readFields(response.json, into: &item)
            item.progress["sent"] = String(index + 1)
            try save(item)
        }
        return .delivered(RemoteReceipt(location: service.address.shown))
    }

    private var url: String {
        let query = ["preset", "device_type"].compactMap { name in
            definition.parameters?[name].map { "\(name)=\(WebAddress.encoded($0))" }
        }
        return service.address.appending("process-serial")
            + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    func test() throws(DeliveryError) -> String {
        try service.test("GET", service.address.text, allowed: [404, 405])
    }
}
