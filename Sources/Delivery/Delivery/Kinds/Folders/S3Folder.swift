import HTTPClient

extension SinkDefinition.Kind {
    /// A bucket of an object store that speaks S3.
    public static let s3 = Self(
        "s3", "puts files into a bucket of a store that speaks S3",
        reach: .network(webSchemes),
        settings: [
            SinkSetting(.url, "the store's address, https://host", isNeeded: true),
            SinkSetting(.user, "the access key's id", isNeeded: true),
            SinkSetting(.password, "the secret access key", isNeeded: true),
            .parameter("bucket", "the bucket's name", isNeeded: true),
            .parameter("region", "the store's region; us-east-1 unless given"),
            .parameter(
                "style", "where the bucket is named: in the path unless given, or in the host",
                choices: ["path", "host"]),
            SinkSetting(.template, "the object's key; '{date} {title}' unless given"),
        ],
        example: .init(
            "--url", "https://s3.example", "--user", "AKID", "--password-file", "password",
            "--parameter", "bucket=scans"),
        check: { (sink) throws(DeliveryError) in
            try sink.checkName()
            try S3Folder.checkNames(sink)
        }
    ) { (definition, tools) throws(DeliveryError) in
        RemoteFolderDeliverer(definition: definition) { () throws(DeliveryError) in
            try S3Folder(definition, tools)
        }
    }
}

/// A bucket of an object store, with signed requests (AWS Signature Version 4).
///
/// The store itself checks each upload by its SHA-256. A name is checked first; if the store knows
/// `If-None-Match`, it also refuses a name that was used meanwhile.
struct S3Folder: RemoteFolder {
    private let service: Service
    private let base: WebAddress

    init(_ definition: SinkDefinition, _ tools: DeliveryTools) throws(DeliveryError) {
        let bucket = definition.parameter("bucket") ?? ""
        let signing = WebRequest.Signing(
            region: definition.parameter("region") ?? "us-east-1", key: definition.user ?? "",
            secret: definition.password ?? "")
        service = try Service(
            definition, signing: signing, client: tools.client, now: tools.now)
        let url = definition.url ?? ""
        let address = try WebAddress(sink: url)
        if definition.parameter("style") == "host", let end = url.firstRange(of: "://")?.upperBound
        {
            base = try WebAddress(sink: url[..<end] + bucket + "." + url[end...])
        } else {
            base = try WebAddress(sink: address.appending(bucket))
        }
    }

    /// - Throws: ``DeliveryError`` for a name that buckets can't have.
    static func checkName(bucket: String) throws(DeliveryError) {
        let isName =
            (3...63).contains(bucket.utf8.count)
            && bucket.utf8.allSatisfy { byte in
                switch byte {
                case 48...57, 97...122: true
                default: ".-".utf8.contains(byte)
                }
            }
        guard isName else {
            throw DeliveryError(
                .invalidOption,
                "A bucket can't be called '\(bucket.prefix(80))': it has 3 to 63 lowercase letters, digits, hyphens and dots."
            )
        }
    }

    static func checkNames(_ sink: SinkDefinition) throws(DeliveryError) {
        try checkName(bucket: sink.parameter("bucket") ?? "")
        let region = sink.parameter("region") ?? "us-east-1"
        guard !region.isEmpty,
            region.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        else {
            throw DeliveryError(
                .invalidOption, "'\(region.prefix(80))' is not a region, such as us-east-1 or auto."
            )
        }
    }

    private func url(_ name: String) -> String {
        base.appending(
            name.split(separator: "/").map { WebAddress.encoded(String($0)) }
                .joined(separator: "/"))
    }

    private static let mark = "x-amz-meta-copystand-sha256"
    /// The SHA-256 of an empty file.
    static let hashOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let nothing = [(name: "x-amz-content-sha256", value: hashOfNothing)]

    private func send(
        _ method: String, _ name: String, headers: [(name: String, value: String)],
        body: WebRequest.Body = .none
    ) throws(Obstacle) -> WebAnswer {
        do {
            return try service.send(method, url(name), headers: headers, body: body)
        } catch {
            throw Obstacle(service.attempt(after: error))
        }
    }

    func look(_ name: String, for file: OutboxItem.File) throws(Obstacle) -> RemoteName {
        let head = try send("HEAD", name, headers: Self.nothing)
        switch head.status {
        case 404: return .nothing
        case 200:
            guard head.headers[Self.mark] == file.sha256 else { return .other }
            if head.headers["content-length"] == String(file.bytes) { return .ours }
            // Some stores keep the part of an upload that was cut off.
            try remove(name)
            return .nothing
        default: throw Obstacle(service.attempt(after: head))
        }
    }

    func put(
        _ path: String, _ file: OutboxItem.File, as name: String, mark: String
    ) throws(Obstacle) -> Bool {
        let headers = [
            (name: "x-amz-content-sha256", value: file.sha256), (Self.mark, file.sha256),
        ]
        let body = WebRequest.Body.file(path: path, mediaType: file.mediaType)
        var answer = try send("PUT", name, headers: headers + [("If-None-Match", "*")], body: body)
        // Some stores report that they do not know the condition.
        if answer.status == 501 { answer = try send("PUT", name, headers: headers, body: body) }
        if answer.status == 412 { return false }
        if answer.status == 409 {
            throw Obstacle(.later("\(base.shown) has another upload of that name", after: nil))
        }
        guard (200..<300).contains(answer.status) else {
            // Ceph's and MinIO's codes of a full bucket, in answers that report no
            // permission.
            let isFull = ["QuotaExceeded", "StorageFull"].contains { answer.excerpt.contains($0) }
            throw Obstacle(
                isFull
                    ? .later(
                        "\(base.shown) is full\(ForeignWords.quoted(answer.excerpt))", after: nil)
                    : service.attempt(after: answer))
        }
        // Something between here and the store, such as a sign-in page, may answer in its place.
        let head = try send("HEAD", name, headers: Self.nothing)
        guard head.status == 200, head.headers["content-length"] == String(file.bytes) else {
            throw Obstacle(
                .later(
                    "\(base.shown) answered \(answer.status) and does not hold the document\(ForeignWords.quoted(answer.excerpt))",
                    after: nil))
        }
        return true
    }

    func remove(_ name: String) throws(Obstacle) {
        let answer = try send("DELETE", name, headers: Self.nothing)
        guard (200..<300).contains(answer.status) else {
            throw Obstacle(service.attempt(after: answer))
        }
    }

    func place(of name: String) -> String { url(name) }
}
