extension SinkDefinition.Kind {
    /// A WebDAV folder: the document is put there under a name of its own.
    public static let webdav = Self(
        "webdav", "puts files into a WebDAV folder, and makes folders as needed",
        reach: .network(webSchemes),
        settings: SinkSetting.web("the folder's address, https://host/path") + [.fileName],
        example: .init(
            "--url", "https://cloud.example/dav", "--user", "ada", "--password-file", "password"),
        check: { (sink) throws(DeliveryError) in try sink.checkName() }
    ) { (definition, tools) throws(DeliveryError) in
        WebDAVCourier(definition: definition, service: try tools.service(definition))
    }
}

/// Puts a document into a WebDAV folder (RFC 4918), such as Nextcloud's.
///
/// A file that is there is never replaced (`If-None-Match: *`). When the name is taken, its content
/// is compared: the same bytes are this very document, whose answer was lost; others make it take
/// the next name.
struct WebDAVCourier: Courier {
    let definition: SinkDefinition
    let service: Service
    private static let mostNames = 1000

    func attempt(
        _ item: inout OutboxItem, in folder: String,
        save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws(DeliveryError) -> DeliveryAttempt {
        for (index, file) in item.files.enumerated().dropFirst(item.sentFiles) {
            let result: PutResult
            do {
                result = try put(file, of: item, at: index, in: folder)
            } catch {
                return service.attempt(after: error)
            }
            switch result {
            case .there(let url): item.progress["url"] = url
            case .failed(let attempt): return attempt
            }
            item.progress["sent"] = String(index + 1)
            try save(item)
        }
        return .delivered(RemoteReceipt(location: item.progress["url"] ?? service.address.shown))
    }

    private enum PutResult {
        case there(String)
        case failed(DeliveryAttempt)
    }

    private func put(
        _ file: OutboxItem.File, of item: OutboxItem, at index: Int, in folder: String
    ) throws(HTTPFailure) -> PutResult {
        for counter in 1...Self.mostNames {
            let url = service.address.appending(
                try name(of: file, item, index, counter).split(separator: "/")
                    .map { WebAddress.encoded(String($0)) }.joined(separator: "/"))
            let response = try service.send(
                "PUT", url, headers: [("If-None-Match", "*")],
                body: .file(path: folder + "/" + file.name, mediaType: file.mediaType))
            switch response.status {
            case 200..<300: return try taken(response, url, file)
            // Whether a folder is missing (409) can be mended here and now.
            case 409:
                guard try makeFolders(url) else { return .failed(service.attempt(after: response)) }
                let again = try service.send(
                    "PUT", url, headers: [("If-None-Match", "*")],
                    body: .file(path: folder + "/" + file.name, mediaType: file.mediaType))
                return (200..<300).contains(again.status)
                    ? try taken(again, url, file) : .failed(service.attempt(after: again))
            case 412: if try holds(url, file) { return .there(url) }
            default: return .failed(service.attempt(after: response))
            }
        }
        return .failed(
            .refused("\(service.address.shown) holds \(Self.mostNames) files of that name"))
    }

    /// What a success means: 201 and 204 speak of our file; after any other, such as the 200 of a
    /// page for signing in, it is looked for.
    private func taken(
        _ response: WebAnswer, _ url: String, _ file: OutboxItem.File
    ) throws(HTTPFailure) -> PutResult {
        if [201, 204].contains(response.status) { return .there(url) }
        if try holds(url, file) { return .there(url) }
        return .failed(
            .later(
                "\(service.address.origin) answered \(response.status) and does not hold the document: \(response.excerpt)",
                after: nil))
    }

    /// Whether the file there is ours: as long, and with the same hash.
    private func holds(_ url: String, _ file: OutboxItem.File) throws(HTTPFailure) -> Bool {
        let head = try service.send("HEAD", url)
        guard head.headers["content-length"] == String(file.bytes) else { return false }
        let there = try service.send("GET", url, hashing: file.bytes)
        return there.status == 200 && there.hash == file.sha256
    }

    private func makeFolders(_ url: String) throws(HTTPFailure) -> Bool {
        let base = service.address.appending("")
        let names = url.dropFirst(base.count).split(separator: "/").dropLast()
        var path = base
        for name in names {
            path += name + "/"
            let response = try service.send("MKCOL", path)
            // 405: it is there already.
            guard (200..<300).contains(response.status) || response.status == 405 else {
                return false
            }
        }
        return !names.isEmpty
    }

    private func name(
        of file: OutboxItem.File, _ item: OutboxItem, _ index: Int, _ counter: Int
    ) throws(HTTPFailure) -> String {
        do {
            return try definition.nameTemplate.name(of: file, in: item, at: index, counter: counter)
        } catch {
            throw HTTPFailure(message: error.message, isPermanent: true)
        }
    }

    func test() throws(DeliveryError) -> String {
        try service.test("PROPFIND", service.address.text, allowed: [207])
    }
}
