import FileNames
import HTTPClient

/// Finds our task or document on a paperless-ngx server, and ignores all others in its lists.
struct PaperlessLookup {
    let service: Service

    /// The maximum number of pages of a list that are searched.
    private static let mostPages = 20

    /// A document on the server.
    struct Document {
        var id: String?
    }

    /// Sends the newest version of the request, or the previous one if the server does not know it
    /// (406).
    func ask(
        _ method: String, _ url: String, _ body: WebRequest.Body = .none
    ) throws(HTTPFailure) -> WebAnswer {
        let newest = try service.send(method, url, headers: [accept(10)], body: body)
        guard newest.status == 406 else { return newest }
        return try service.send(method, url, headers: [accept(9)], body: body)
    }

    private func accept(_ version: Int) -> (name: String, value: String) {
        ("Accept", "application/json; version=\(version)")
    }

    /// True if a text can be a task's name: short, and printable.
    static func isTask(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count) && text.utf8.allSatisfy { (33...126).contains($0) }
    }

    /// The report of the task of that name; nil when the server lists no such task.
    func task(_ name: String) throws(HTTPFailure) -> PaperlessTask? {
        try first("api/tasks/", ["task_id": name]) { $0["task_id"]?.text == name }
            .map(PaperlessTask.init)
    }

    /// The task of an upload whose answer was lost, by the file's name; nil when there is none.
    func taskName(_ fileName: String) throws(HTTPFailure) -> String? {
        let name = service.secrets.redacted(fileName)
        let task = try first("api/tasks/", [:]) {
            $0["task_file_name"]?.text == name || $0.value(at: "input_data.filename")?.text == name
        }
        return task?["task_id"]?.text.flatMap { Self.isTask($0) ? $0 : nil }
    }

    /// The document that was made of a file; nil when there is none.
    func document(_ fileName: String) throws(HTTPFailure) -> Document? {
        let name = service.secrets.redacted(fileName)
        // A server that does not know the filter returns all documents, so each is checked.
        return try first("api/documents/", ["original_filename__iexact": fileName]) {
            $0["original_file_name"]?.text == name || $0["original_filename"]?.text == name
        }.map { Document(id: $0["id"]?.words) }
    }

    /// The first entry that fits, from all pages of a list; version 9 answers with all at once.
    private func first(
        _ path: String, _ query: [String: String], where fits: (JSONValue) -> Bool
    ) throws(HTTPFailure) -> JSONValue? {
        for page in 1...Self.mostPages {
            let words = query.map { ($0.key, $0.value) } + (page > 1 ? [("page", "\(page)")] : [])
            let text = words.map { "\($0)=\(WebAddress.encoded($1))" }.joined(separator: "&")
            let url = service.address.appending(path + (text.isEmpty ? "" : "?" + text))
            let answer = try success(ask("GET", url)).json
            let entries = answer?["results"]?.elements ?? answer?.elements ?? []
            if let entry = entries.first(where: fits) { return entry }
            guard !entries.isEmpty, answer?["next"]?.text != nil else { return nil }
        }
        return nil
    }

    private func success(_ response: WebAnswer) throws(HTTPFailure) -> WebAnswer {
        guard (200..<300).contains(response.status) else {
            throw HTTPFailure(
                message:
                    "\(service.address.origin) answered \(response.status) when asked for the document\(ForeignWords.quoted(response.excerpt))",
                isPermanent: [401, 403].contains(response.status),
                after: service.patience(response), mayHaveArrived: true)
        }
        return response
    }
}

/// Paperless's description of a task, in version 9 or 10 of its interface.
struct PaperlessTask {
    let json: JSONValue

    /// The result of a task.
    enum Ending: Hashable {
        /// The server has the document, with this number if it states one.
        case success(document: String?)
        case failure(String)
    }

    /// The result of the task; nil while it is not finished.
    var ending: Ending? {
        switch json["status"]?.text?.lowercased() {
        case "success":
            return .success(
                document: (json.value(at: "result_data.document_id") ?? json["related_document"])?
                    .words)
        case "failure":
            // A document that the server already has counts as delivered.
            return twin.map { .success(document: $0) } ?? .failure(reason)
        case "revoked": return .failure("its task was revoked. \(reason)")
        default: return nil
        }
    }

    private var reason: String {
        json["result"]?.text ?? json.value(at: "result_data.error")?.text
            ?? json.value(at: "result_data.error_message")?.text ?? "it does not say why"
    }

    /// The document that the file is a duplicate of; version 9 reports this only in words, with the
    /// document next to them.
    private var twin: String? {
        if let twin = json.value(at: "result_data.duplicate_of")?.words { return twin }
        let isDuplicate = json["result"]?.text?.contains("duplicate") ?? false
        return isDuplicate ? json["related_document"]?.words : nil
    }
}
