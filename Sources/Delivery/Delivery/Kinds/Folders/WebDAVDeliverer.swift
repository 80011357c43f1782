import ExpectedFailures
import HTTPClient

extension SinkDefinition.Kind {
    /// A WebDAV folder: the document is put there under an unused name.
    public static let webdav = Self(
        "webdav", "puts files into a WebDAV folder, and makes folders as needed",
        reach: .network(webSchemes),
        settings: SinkSetting.web("the folder's address, https://host/path") + [.fileName],
        example: .init(
            "--url", "https://cloud.example/dav", "--user", "ada", "--password-file", "password"),
        check: { (sink) throws(DeliveryError) in try sink.checkName() }
    ) { (definition, tools) throws(DeliveryError) in
        WebDAVDeliverer(
            definition: definition, service: try tools.service(definition), chunks: nil)
    }
}

/// Puts a document into a WebDAV folder (RFC 4918), such as Nextcloud's.
///
/// An existing file is never replaced (`If-None-Match: *`). If the name is in use, the contents are
/// compared: the same bytes are this document, whose answer was lost; otherwise the document gets
/// the next name.
struct WebDAVDeliverer: Deliverer {
    let definition: SinkDefinition
    let service: Service
    /// The protocol that sends large files in pieces; nil for a service that accepts large files
    /// whole.
    let chunks: NextcloudChunks?
    private static let mostNames = 1000

    func attempt(
        _ item: inout OutboxItem, in folder: String,
        save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws(DeliveryError) -> DeliveryAttempt {
        for (index, file) in item.files.enumerated().dropFirst(item.sentFiles) {
            let result: PutResult
            do {
                result = try put(file, of: &item, at: index, in: folder, save: save)
            } catch {
                return service.attempt(after: error)
            }
            switch result {
            case .there(let url): item.progress["url"] = url
            case .failed(let attempt): return attempt
            }
            item.progress["sent"] = String(index + 1)
            item.progress["putting"] = nil
            try save(item)
        }
        return .delivered(RemoteReceipt(location: item.progress["url"] ?? service.address.shown))
    }

    private enum PutResult {
        case there(String)
        case failed(DeliveryAttempt)
    }

    private func put(
        _ file: OutboxItem.File, of item: inout OutboxItem, at index: Int, in folder: String,
        save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws(HTTPFailure) -> PutResult {
        let before = item.progress["putting"]
        var refusals = 0
        for counter in 1...Self.mostNames {
            let url = service.address.appending(
                try name(of: file, item, index, counter).split(separator: "/")
                    .map { WebAddress.encoded(String($0)) }.joined(separator: "/"))
            // The first name is nearly always free. Further names are checked without sending the
            // document.
            switch counter > 1 ? try look(url, file) : .nothing {
            case .ours: return .there(url)
            case .other where url != before: continue
            case .other, .nothing: break
            }
            // Nextcloud shows no file before it is complete.
            if chunks == nil, item.progress["putting"] != url {
                item.progress["putting"] = url
                try saveProgress(of: item, by: save)
            }
            let response = try send(file, to: url, of: &item, in: folder, save: save)
            switch response.status {
            case 200..<300: return try taken(response, url, file)
            // A missing folder (409) can be made here.
            case 409:
                guard try makeFolders(url) else { return .failed(service.attempt(after: response)) }
                let again = try send(file, to: url, of: &item, in: folder, save: save)
                return (200..<300).contains(again.status)
                    ? try taken(again, url, file) : .failed(service.attempt(after: again))
            case 412:
                if try look(url, file) == .ours { return .there(url) }
                if url == before, let whole = try repair(url, file, in: folder) {
                    return (200..<300).contains(whole.status)
                        ? try taken(whole, url, file) : .failed(service.attempt(after: whole))
                }
                refusals += 1
                guard refusals < RemoteFolderDeliverer.mostRefusals else {
                    return .failed(
                        .later(
                            "\(service.address.shown) refused \(refusals) names that seemed to be free",
                            after: nil))
                }
            default: return .failed(service.attempt(after: response))
            }
        }
        return .failed(
            .refused("\(service.address.shown) holds \(Self.mostNames) files of that name"))
    }

    /// Sends a file to an unused name; 412 for a name in use.
    private func send(
        _ file: OutboxItem.File, to url: String, of item: inout OutboxItem, in folder: String,
        save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws(HTTPFailure) -> WebAnswer {
        let path = folder + "/" + file.name
        if let chunks, file.bytes > NextcloudChunks.size {
            return try chunks.send(path, file, to: url, of: &item, save: save)
        }
        return try service.send(
            "PUT", url, headers: [("If-None-Match", "*")],
            body: .file(path: path, mediaType: file.mediaType))
    }

    /// The meaning of a success: 201 and 204 refer to our file; after any other code, such as the
    /// 200 of a sign-in page, the file is looked for.
    private func taken(
        _ response: WebAnswer, _ url: String, _ file: OutboxItem.File
    ) throws(HTTPFailure) -> PutResult {
        if [201, 204].contains(response.status) { return .there(url) }
        if try look(url, file) == .ours { return .there(url) }
        return .failed(
            .later(
                "\(service.address.origin) answered \(response.status) and does not hold the document: \(response.excerpt)",
                after: nil))
    }

    /// The state of a name: a file is ours if it is as long, and has the same hash.
    private func look(_ url: String, _ file: OutboxItem.File) throws(HTTPFailure) -> RemoteName {
        let head = try service.send("HEAD", url)
        guard head.headers["content-length"] == String(file.bytes) else {
            return head.status == 200 ? .other : .nothing
        }
        let there = try service.send("GET", url, hashing: file.bytes)
        if there.status == 200, there.hash == file.sha256 { return .ours }
        return head.status == 200 ? .other : .nothing
    }

    /// Overwrites the file that an interrupted upload has left there.
    ///
    /// Some servers show the beginning of a file under its name. Nil for another file.
    private func repair(
        _ url: String, _ file: OutboxItem.File, in folder: String
    ) throws(HTTPFailure) -> WebAnswer? {
        let path = folder + "/" + file.name
        let head = try service.send("HEAD", url)
        guard head.status == 200, let length = head.headers["content-length"].flatMap({ Int($0) }),
            (0..<file.bytes).contains(length)
        else { return nil }
        if length > 0 {
            let there = try service.send("GET", url, hashing: length)
            let own = asHint { try fileHash(path, first: length) }
            guard there.status == 200, let own, there.hash == own else { return nil }
        }
        let condition = head.headers["etag"].map { [(name: "If-Match", value: $0)] } ?? []
        return try service.send(
            "PUT", url, headers: condition,
            body: .file(path: path, mediaType: file.mediaType))
    }

    private func makeFolders(_ url: String) throws(HTTPFailure) -> Bool {
        let base = service.address.appending("")
        let names = url.dropFirst(base.count).split(separator: "/").dropLast()
        // The sink's own folder may be missing as well. Usually it exists (405).
        let made = try service.send("MKCOL", base)
        var path = base
        for name in names {
            path += name + "/"
            let response = try service.send("MKCOL", path)
            // 405: it already exists.
            guard (200..<300).contains(response.status) || response.status == 405 else {
                return false
            }
        }
        return !names.isEmpty || (200..<300).contains(made.status)
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

    /// Looks into the folder, and writes and removes a small file.
    func test() throws(DeliveryError) -> String {
        _ = try service.test("PROPFIND", service.address.text, allowed: [207])
        let probe = try Probe()
        let url = service.address.appending("copystand-test-\(probe.mark).txt")
        _ = try service.test { () throws(HTTPFailure) in
            try service.send(
                "PUT", url, headers: [("If-None-Match", "*")],
                body: .file(path: probe.path, mediaType: probe.file.mediaType))
        }
        _ = try service.test("DELETE", url)
        return "a small file was written to \(service.address.shown) and removed"
    }
}

/// Stores changes of an item on the disk; a failure ends the attempt like one of the network.
func saveProgress(
    of item: OutboxItem, by save: (OutboxItem) throws(DeliveryError) -> Void
) throws(HTTPFailure) {
    do {
        try save(item)
    } catch {
        throw HTTPFailure(message: error.message)
    }
}
