import ExpectedFailures
import FileNames
import HTTPClient

extension SinkDefinition.Kind {
    /// A paperless-ngx server: the document is uploaded, and its task followed to the end.
    public static let paperless = Self(
        "paperless", "uploads to paperless-ngx and follows its task to the end",
        reach: .network(webSchemes),
        settings: SinkSetting.web("the server's address, https://host") + [
            .parameter("tags", "numbers of the server's tags, with commas between"),
            .parameter("correspondent", "the number of a correspondent"),
            .parameter("document_type", "the number of a type of document"),
            .parameter("storage_path", "the number of a storage path"),
            .parameter("archive_serial_number", "the number in the paper archive"),
        ],
        example: .init("--url", "https://paperless.example", "--token-file", "token.txt")
    ) { (definition, tools) throws(DeliveryError) in
        PaperlessDeliverer(
            definition: definition, service: try tools.service(definition, scheme: "Token"),
            wait: tools.wait)
    }
}

/// Delivers a document to paperless-ngx, and follows its task until the document is in its archive.
///
/// The service accepts duplicates silently, so a lost answer must not lead to a second upload: the
/// file goes under a name that nobody else has, and before an upload is repeated the server's tasks
/// and documents are searched for it.
struct PaperlessDeliverer: Deliverer {
    let definition: SinkDefinition
    let service: Service
    /// Waits for this many seconds.
    let wait: @Sendable (Double) -> Void

    /// The number of times that a task is checked before the delivery is postponed, and the seconds
    /// between the checks.
    private static let looks = 20
    private static let pause = 1.0
    /// Seconds until a task that takes long is checked again.
    private static let nextLook = 30.0

    private var lookup: PaperlessLookup { PaperlessLookup(service: service) }

    func attempt(
        _ item: inout OutboxItem, in folder: String,
        save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws(DeliveryError) -> DeliveryAttempt {
        guard let file = item.files.first else { return .refused("The document has no file.") }
        do {
            if item.progress["task"] == nil, item.progress["posted"] != nil {
                if let document = try lookup.document(fileName(item)) {
                    return delivered(document.id)
                }
                item.progress["task"] = try lookup.taskName(fileName(item))
            }
            if item.progress["task"] == nil {
                // After this, the server may have the document, even if its answer is lost.
                item.progress["posted"] = "yes"
                try persist(item, save)
                let response = try post(file, of: item, in: folder)
                guard (200..<300).contains(response.status) else {
                    item.progress["posted"] = nil
                    return service.attempt(after: response)
                }
                guard let task = response.json?.text, PaperlessLookup.isTask(task) else {
                    return .later(
                        "\(service.address.origin) accepted the document, but named no task",
                        after: nil)
                }
                item.progress["task"] = task
                try persist(item, save)
            }
            return try follow(item.progress["task"] ?? "", &item)
        } catch let failure as HTTPFailure {
            if !failure.mayHaveArrived && item.progress["task"] == nil {
                item.progress["posted"] = nil
            }
            return service.attempt(after: failure)
        } catch let error as DeliveryError {
            throw error
        } catch {
            return .later("\(error)", after: nil)
        }
    }

    private func persist(
        _ item: OutboxItem, _ save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws { try save(item) }

    /// The name of the file on the server: readable for people, and unique.
    private func fileName(_ item: OutboxItem) -> String {
        NameTemplate.safe("\(item.title)") + "-" + item.id + ".pdf"
    }

    private func delivered(_ id: String?) -> DeliveryAttempt {
        .delivered(
            RemoteReceipt(
                location: id.map { service.address.appending("documents/\($0)/") }
                    ?? service.address.shown, remoteID: id))
    }

    // MARK: Uploading

    private func post(
        _ file: OutboxItem.File, of item: OutboxItem, in folder: String
    ) throws(HTTPFailure) -> WebAnswer {
        var parts: [WebRequest.Part] = [
            .file("document", file, in: folder, as: fileName(item)),
            .text("title", String(item.title.prefix(128))),
            .text("created", Timestamp(seconds: item.created).iso8601),
        ]
        for (name, value) in (definition.parameters ?? [:]).sorted(by: { $0.key < $1.key }) {
            let values = name == "tags" ? value.split(separator: ",").map { String($0) } : [value]
            for value in values { parts.append(.text(name, value.filter { $0 != " " })) }
        }
        return try lookup.ask(
            "POST", service.address.appending("api/documents/post_document/"), .form(parts))
    }

    // MARK: Looking

    /// Checks the task of this upload until it has ended.
    private func follow(_ task: String, _ item: inout OutboxItem) throws -> DeliveryAttempt {
        var isListed = false
        for look in 0..<Self.looks {
            if look > 0 { wait(Self.pause) }
            guard let report = try lookup.task(task) else { continue }
            isListed = true
            switch report.ending {
            case .none: continue
            case .success(let document):
                definition.readFields(report.json, into: &item)
                return delivered(document ?? asHint { try lookup.document(fileName(item))?.id })
            case .failure(let reason):
                // A later upload is a new one: this task is over.
                item.progress = [:]
                return .refused(
                    "paperless rejected the document\(ForeignWords.quoted(reason.prefix(400)))"
                )
            }
        }
        if isListed { return .underway(after: Self.nextLook, "paperless is still working on it") }
        // The server may delete finished tasks; if the document exists, this one was successful.
        if let document = try lookup.document(fileName(item)) { return delivered(document.id) }
        return .later(
            "\(service.address.origin) accepted the document, but does not list its task \(task)",
            after: nil)
    }

    func test() throws(DeliveryError) -> String {
        try service.test { () throws(HTTPFailure) in
            try lookup.ask("GET", service.address.appending("api/documents/?page_size=1"))
        }
    }
}
