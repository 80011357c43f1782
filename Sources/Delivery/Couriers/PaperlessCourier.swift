/// Brings a document to paperless-ngx, and follows its task until the document is in.
///
/// The service takes duplicates without a word, so an answer that was lost must not lead to a second upload: the file goes under
/// a name that nobody else has, and before an upload is repeated the server's tasks and documents are searched for it.
struct PaperlessCourier: Courier {
    let definition: SinkDefinition
    let service: Service
    /// Waits so many seconds.
    let wait: @Sendable (Double) -> Void

    /// How often, and how many seconds apart, a task is looked at before the delivery is put off.
    private static let looks = 20
    private static let pause = 1.0
    /// Seconds until a task that takes long is looked at again.
    private static let nextLook = 30.0

    func attempt(
        _ item: inout OutboxItem, in folder: String,
        save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws(DeliveryError) -> DeliveryAttempt {
        guard let file = item.files.first else { return .refused("The document has no file.") }
        do {
            if item.progress["task"] == nil, item.progress["posted"] != nil {
                switch try find(fileName(item)) {
                case .document(let id): return delivered(id)
                case .task(let task): item.progress["task"] = task
                case .nothing: break
                }
            }
            if item.progress["task"] == nil {
                // From here on the server may have it, whatever becomes of the answer.
                item.progress["posted"] = "yes"
                try persist(item, save)
                let response = try post(file, of: item, in: folder)
                guard (200..<300).contains(response.status) else {
                    item.progress["posted"] = nil
                    return service.attempt(after: response)
                }
                guard let task = response.json?.text, !task.isEmpty else {
                    return .later(
                        "\(service.address.origin) took the document and named no task", after: nil)
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

    /// The name the file has on the server: for people, and like no other.
    private func fileName(_ item: OutboxItem) -> String {
        NameTemplate.safe("\(item.title)") + "-" + item.id + ".pdf"
    }

    private func delivered(_ id: String?) -> DeliveryAttempt {
        .delivered(
            RemoteReceipt(
                location: id.map { service.address.appending("documents/\($0)/") }
                    ?? service.address.text, remoteID: id))
    }

    // MARK: Uploading

    private func post(
        _ file: OutboxItem.File, of item: OutboxItem, in folder: String
    ) throws(HTTPFailure) -> WebAnswer {
        var parts: [WebRequest.Part] = [
            WebRequest.Part(
                name: "document",
                content: .file(
                    path: folder + "/" + file.name, name: fileName(item), mediaType: file.mediaType)
            ),
            .text("title", String(item.title.prefix(128))),
            .text("created", Timestamp(seconds: item.created).iso8601),
        ]
        for (name, value) in (definition.parameters ?? [:]).sorted(by: { $0.key < $1.key }) {
            let values = name == "tags" ? value.split(separator: ",").map { String($0) } : [value]
            for value in values { parts.append(.text(name, value.filter { $0 != " " })) }
        }
        return try ask(
            "POST", service.address.appending("api/documents/post_document/"), .form(parts))
    }

    /// Asks in the newest form of the interface, and in the one before when the server does not know it (406).
    private func ask(
        _ method: String, _ url: String, _ body: WebRequest.Body = .none
    ) throws(HTTPFailure) -> WebAnswer {
        let newest = try service.send(method, url, headers: [accept(10)], body: body)
        guard newest.status == 406 else { return newest }
        return try service.send(method, url, headers: [accept(9)], body: body)
    }

    private func accept(_ version: Int) -> (name: String, value: String) {
        ("Accept", "application/json; version=\(version)")
    }

    // MARK: Looking

    private enum Finding {
        case document(String?)
        case task(String)
        case nothing
    }

    /// Whether an upload whose answer was lost has arrived.
    private func find(_ name: String) throws -> Finding {
        let query = "api/documents/?original_filename__iexact=" + WebAddress.encoded(name)
        let documents = try success(ask("GET", service.address.appending(query)))
        // A server that does not know the filter answers with everything, so each is looked at.
        let ours = documents.json?["results"]?.elements?.first {
            $0["original_file_name"]?.text == name || $0["original_filename"]?.text == name
        }
        if let ours { return .document(ours["id"]?.words) }
        let tasks = try success(ask("GET", service.address.appending("api/tasks/")))
        let list = tasks.json?["results"]?.elements ?? tasks.json?.elements ?? []
        let task = list.first {
            $0["task_file_name"]?.text == name || $0.value(at: "input_data.filename")?.text == name
        }
        return (task?["task_id"]?.text).map { .task($0) } ?? .nothing
    }

    private func success(_ response: WebAnswer) throws(HTTPFailure) -> WebAnswer {
        guard (200..<300).contains(response.status) else {
            throw HTTPFailure(
                message:
                    "\(service.address.origin) answered \(response.status) when asked for the document\(ForeignWords.told(response.excerpt))",
                isPermanent: [401, 403].contains(response.status), mayHaveArrived: true)
        }
        return response
    }

    /// Looks at a task until it has ended.
    private func follow(_ task: String, _ item: inout OutboxItem) throws -> DeliveryAttempt {
        let url = service.address.appending("api/tasks/?task_id=" + WebAddress.encoded(task))
        for look in 0..<Self.looks {
            if look > 0 { wait(Self.pause) }
            let response = try ask("GET", url)
            guard (200..<300).contains(response.status) else {
                return service.attempt(after: response)
            }
            let tasks = response.json?["results"]?.elements ?? response.json?.elements ?? []
            guard let report = tasks.first(where: { $0["task_id"]?.text == task }) ?? tasks.first
            else { continue }
            definition.readFields(report, into: &item)
            switch report["status"]?.text?.lowercased() {
            case "success":
                return delivered(
                    (report.value(at: "result_data.document_id") ?? report["related_document"])?
                        .words)
            case "failure", "revoked":
                // What the server has already is a document delivered.
                if let twin = report.value(at: "result_data.duplicate_of")?.words {
                    return delivered(twin)
                }
                let reason =
                    report["result"]?.text ?? report.value(at: "result_data.error")?.text
                    ?? "it does not say why"
                // A later upload is a new one: this task is over.
                item.progress = [:]
                return .refused(
                    "paperless could not take the document\(ForeignWords.told(reason.prefix(400)))")
            default: continue
            }
        }
        return .underway(after: Self.nextLook, "paperless is still working on it")
    }

    func test() throws(DeliveryError) -> String {
        do {
            let response = try ask("GET", service.address.appending("api/documents/?page_size=1"))
            return try service.verdict(response)
        } catch let failure as HTTPFailure {
            throw DeliveryError(.unreachable, failure.message)
        } catch let error as DeliveryError {
            throw error
        } catch {
            throw DeliveryError(.unreachable, "\(error)")
        }
    }
}
