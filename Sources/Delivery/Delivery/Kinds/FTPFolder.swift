import CCurl

extension SinkDefinition.Kind {
    /// A folder of an FTP server, over TLS.
    public static let ftps = Self(
        "ftps", "puts files into a folder of an FTP server, over TLS",
        reach: .network(["ftps", "ftp"]),
        settings: [
            SinkSetting(
                .url, "the folder's address, ftp://host/path, or ftps://host/path for port 990",
                isNeeded: true),
            SinkSetting(.user, "the name to sign in with", isNeeded: true),
            SinkSetting(.password, "the user's password", isNeeded: true),
            .encryption, .authority, .fileName,
        ],
        example: .init(
            "--url", "ftp://nas.example/scans", "--user", "ada", "--password-file", "password"),
        check: { (sink) throws(DeliveryError) in try sink.checkName() }
    ) { (definition, tools) throws(DeliveryError) in
        RemoteFolderCourier(definition: definition) { () throws(DeliveryError) in
            try FTPFolder(definition, tools)
        }
    }
}

extension SinkSetting {
    /// Whether a connection may go without TLS.
    static let encryption = SinkSetting.parameter(
        "encryption", "tls unless given; none lets everybody in the network read along",
        choices: ["tls", "none"])
    /// Whom to trust beside the system's authorities.
    static let authority = SinkSetting.parameter(
        "ca-file", "the whole path of a certificate that is trusted in place of the system's")
}

extension SinkDefinition {
    /// Sets what a connection needs of TLS.
    func secure(_ order: inout CurlTransfer.Order) {
        let isPlain = parameter("encryption") == "none"
        order.numbers.append((CURLOPT_USE_SSL, isPlain ? 0 : 3))
        if let file = parameter("ca-file") { order.texts.append((CURLOPT_CAINFO, file)) }
    }
}

/// A folder of an FTP server, through libcurl.
///
/// A file goes there under a hidden name and is renamed. FTP's rename may replace a file, so the
/// name is looked for right before.
struct FTPFolder: RemoteFolder {
    private let address: WebAddress
    private let transfer: CurlTransfer
    private let base: CurlTransfer.Order

    init(_ definition: SinkDefinition, _ tools: CourierTools) throws(DeliveryError) {
        address = try WebAddress(definition.url ?? "", schemes: definition.kind.schemes)
        transfer = try CurlTransfer(definition, tools)
        var base = CurlTransfer.Order(url: "")
        base.texts = [
            (CURLOPT_USERNAME, definition.user ?? ""),
            (CURLOPT_PASSWORD, definition.password ?? ""),
        ]
        definition.secure(&base)
        self.base = base
    }

    private func url(_ name: String) -> String {
        address.appending(
            name.split(separator: "/").map { WebAddress.encoded(String($0)) }
                .joined(separator: "/"))
    }

    private func lastName(_ name: String) -> String {
        String(name.split(separator: "/").last ?? "")
    }

    func look(_ name: String, for file: OutboxItem.File) throws(Obstacle) -> RemoteName {
        var order = base
        order.url = url(name)
        order.most = file.bytes
        let ending = transfer.perform(order)
        switch ending.code {
        case CURLE_OK:
            return ending.taken == file.bytes && ending.hash == file.sha256 ? .ours : .other
        case CURLE_WRITE_ERROR: return .other
        // The folder may be missing yet, and is then made.
        case CURLE_REMOTE_FILE_NOT_FOUND, CURLE_REMOTE_ACCESS_DENIED: return .nothing
        default: throw Obstacle(ending.obstacle(address.origin))
        }
    }

    func put(
        _ path: String, _ file: OutboxItem.File, as name: String, mark: String
    ) throws(Obstacle) -> Bool {
        let folder = name.split(separator: "/").dropLast().map { $0 + "/" }.joined()
        let hidden = ".copystand-\(mark).part"
        var order = base
        order.url = url(folder + hidden)
        do {
            order.source = try FileSource(path)
        } catch {
            throw Obstacle(.later(error.message, after: nil))
        }
        order.numbers.append((CURLOPT_FTP_CREATE_MISSING_DIRS, 1))
        order.lists = [(CURLOPT_POSTQUOTE, ["RNFR \(hidden)", "RNTO \(lastName(name))"])]
        let ending = transfer.perform(order)
        if ending.code == CURLE_QUOTE_ERROR { return false }
        guard ending.isDone else { throw Obstacle(ending.obstacle(address.origin)) }
        return true
    }

    func remove(_ name: String) throws(Obstacle) {
        var order = base
        order.url = url(name)
        order.most = 1 << 20
        order.lists = [(CURLOPT_POSTQUOTE, ["DELE \(lastName(name))"])]
        let ending = transfer.perform(order)
        guard ending.isDone else { throw Obstacle(ending.obstacle(address.origin)) }
    }

    func place(of name: String) -> String { url(name) }
}
