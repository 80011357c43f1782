import HTTPClient

extension SinkDefinition.Kind {
    /// The kind of sink for a folder of a Nextcloud: like `webdav`, but large files are sent in
    /// pieces.
    public static let nextcloud = Self(
        "nextcloud", "puts files into a folder of a Nextcloud, large ones in pieces",
        reach: .network(webSchemes),
        settings: SinkSetting.web(
            "the folder's address, https://host/remote.php/dav/files/USER/Scans") + [.fileName],
        example: .init(
            "--url", "https://cloud.example/remote.php/dav/files/ada/Scans", "--user", "ada",
            "--password-file", "password"),
        check: { (sink) throws(DeliveryError) in
            try sink.checkName()
            _ = try NextcloudChunks.folder(of: try WebAddress(sink: sink.url ?? ""))
        }
    ) { (definition, tools) throws(DeliveryError) in
        let service = try tools.service(definition)
        return WebDAVDeliverer(
            definition: definition, service: service,
            chunks: NextcloudChunks(
                service: service, folder: try NextcloudChunks.folder(of: service.address)))
    }
}

/// Uploads to Nextcloud in pieces ("Chunked file upload", version 2, in its developer manual), so
/// that size limits of the server or a proxy do not matter.
///
/// Each document has a folder for its pieces, and a `MOVE` joins them into one file if the name is
/// unused. An interrupted upload continues with the piece at which it ended.
struct NextcloudChunks: Sendable {
    /// The length of a piece, in bytes; smaller files go whole.
    ///
    /// Nextcloud takes pieces of 5 MB to 5 GB.
    static let size = 10_000_000
    private static let mostPieces = 10_000
    let service: Service
    /// The address of the user's uploads.
    let folder: String

    /// The folder for uploads that belongs to the address of a user's files.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption` for an address that is not one of Nextcloud's
    ///   files.
    static func folder(of address: WebAddress) throws(DeliveryError) -> String {
        let mark = "/remote.php/dav/files/"
        let path = address.rest.prefix { $0 != "?" }
        if let place = path.firstRange(of: mark) {
            let user = path[place.upperBound...].prefix { $0 != "/" }
            if !user.isEmpty {
                return address.origin + path[..<place.lowerBound] + "/remote.php/dav/uploads/"
                    + user
            }
        }
        throw DeliveryError(
            .invalidOption,
            "The address '\(address.shown)' is not that of a Nextcloud's files. It should look like https://host/remote.php/dav/files/USER/Scans."
        )
    }

    /// Uploads a file in pieces; 412 if the name is in use, as after a `PUT`.
    func send(
        _ path: String, _ file: OutboxItem.File, to url: String, of item: inout OutboxItem,
        save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws(HTTPFailure) -> WebAnswer {
        // This is checked first, because the upload may take an hour.
        let head = try service.send("HEAD", url)
        if head.status == 200 { return WebAnswer(status: 412, headers: [:], body: []) }
        let place = "\(folder)/copystand-\(item.id)-\(file.sha256.prefix(16))"
        let common = [(name: "Destination", value: url), ("OC-Total-Length", String(file.bytes))]
        let step = max(Self.size, (file.bytes + Self.mostPieces - 1) / Self.mostPieces)
        let pieces = (file.bytes + step - 1) / step
        let note = "pieces of " + file.name
        var done = min(max(0, Int(item.progress[note] ?? "") ?? 0), pieces)
        if done == 0 {
            let made = try service.send("MKCOL", place, headers: common)
            // 405: the folder exists from an earlier attempt.
            guard (200..<300).contains(made.status) || made.status == 405 else { return made }
        }
        while done < pieces {
            let start = done * step
            let answer = try service.send(
                "PUT", "\(place)/\(padded(done + 1, 5))", headers: common,
                body: .part(
                    path: path, from: start, count: min(step, file.bytes - start),
                    mediaType: "application/octet-stream"))
            if [404, 409].contains(answer.status), done > 0 {
                try forget(note, &item, save)
                throw thrownAway
            }
            guard (200..<300).contains(answer.status) else { return answer }
            done += 1
            item.progress[note] = String(done)
            try saveProgress(of: item, by: save)
        }
        let moved = try service.send(
            "MOVE", place + "/.file",
            headers: common + [
                ("Overwrite", "F"),
                ("X-OC-MTime", String(Int(exactly: item.created.rounded()) ?? 0)),
            ])
        // The pieces are gone, so the file may exist from an earlier attempt.
        guard moved.status == 404 else { return moved }
        try forget(note, &item, save)
        guard try service.send("HEAD", url).status == 200 else { throw thrownAway }
        return WebAnswer(status: 412, headers: [:], body: [])
    }

    private var thrownAway: HTTPFailure {
        HTTPFailure(message: "\(service.address.origin) has deleted the pieces that it had")
    }

    private func forget(
        _ note: String, _ item: inout OutboxItem,
        _ save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws(HTTPFailure) {
        item.progress[note] = nil
        try saveProgress(of: item, by: save)
    }
}
