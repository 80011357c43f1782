import CCurl
import HTTPClient

extension SinkDefinition.Kind {
    /// A folder of an SSH server, whose key is pinned.
    public static let sftp = Self(
        "sftp", "puts files into a folder of an SSH server",
        reach: .network(["sftp"]),
        settings: [
            SinkSetting(.url, "the folder's address, sftp://host/path", isNeeded: true),
            SinkSetting(.user, "the name to sign in with", isNeeded: true),
            SinkSetting(.password, "the user's password, or the passphrase of the key file"),
            .parameter(
                "host-key",
                "the server's key, SHA256:…, as 'ssh-keyscan HOST | ssh-keygen -lf -' prints it",
                isNeeded: true),
            .parameter(
                "key-file", "the full path of a private key on this machine, ed25519 or ecdsa"),
            .fileName,
        ],
        example: .init(
            "--url", "sftp://nas.example/scans", "--user", "ada", "--password-file", "password",
            "--parameter", "host-key=SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"),
        identity: .init(parameter: "host-key") { (sink) throws(DeliveryError) in
            try SSHHostKey.shown(by: sink)
        },
        check: { (sink) throws(DeliveryError) in
            try sink.checkName()
            try SFTPFolder.checkKeys(sink)
        }
    ) { (definition, tools) throws(DeliveryError) in
        RemoteFolderDeliverer(definition: definition) { () throws(DeliveryError) in
            try SFTPFolder(definition, tools)
        }
    }
}

/// A folder of an SSH server, through libcurl.
///
/// A file goes there under a hidden name and is renamed, which SFTP's first three versions do only
/// where nothing is in the way.
struct SFTPFolder: CommandFolder {
    let address: WebAddress
    let transfer: CurlTransfer
    let base: CurlTransfer.Order

    init(_ definition: SinkDefinition, _ tools: DeliveryTools) throws(DeliveryError) {
        address = try WebAddress(sink: definition.url ?? "", schemes: definition.kind.schemes)
        transfer = try CurlTransfer(definition, tools)
        var base = CurlTransfer.Order(url: "")
        base.texts = [
            (CURLOPT_USERNAME, definition.user ?? ""),
            (CURLOPT_SSH_HOST_PUBLIC_KEY_SHA256, Self.pin(definition)),
        ]
        if let key = definition.parameter("key-file") {
            base.texts.append((CURLOPT_SSH_PRIVATE_KEYFILE, key))
            base.texts.append((CURLOPT_KEYPASSWD, definition.password ?? ""))
            base.numbers.append((CURLOPT_SSH_AUTH_TYPES, 1 << 0))
        } else {
            base.texts.append((CURLOPT_PASSWORD, definition.password ?? ""))
            base.numbers.append((CURLOPT_SSH_AUTH_TYPES, 1 << 1 | 1 << 3))
        }
        self.base = base
    }

    private static func pin(_ definition: SinkDefinition) -> String {
        let key = definition.parameter("host-key") ?? ""
        let hash = key.hasPrefix("SHA256:") ? String(key.dropFirst(7)) : key
        return hash.filter { $0 != "=" }
    }

    static func checkKeys(_ sink: SinkDefinition) throws(DeliveryError) {
        let pin = pin(sink)
        // 32 bytes in base64, without padding.
        guard pin.count == 43,
            pin.utf8.allSatisfy({ byte in
                switch byte {
                case 48...57, 65...90, 97...122: true
                default: "+/".utf8.contains(byte)
                }
            })
        else {
            throw DeliveryError(
                .invalidOption,
                "The host key '\(pin.prefix(60))' is not the SHA-256 of a key. It looks like SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU; see: ssh-keyscan HOST | ssh-keygen -lf -"
            )
        }
        guard let key = sink.parameter("key-file") else {
            guard sink.password == nil else { return }
            throw DeliveryError(
                .invalidOption,
                "A sink of the kind 'sftp' needs a password or a key: add --password-file FILE or --parameter key-file=PATH"
            )
        }
        guard key.hasPrefix("/") else {
            throw DeliveryError(
                .invalidOption, "The key file '\(key)' must be given with its full path.")
        }
    }

    // The length costs as much as the first bytes of a file.
    let asksLength = false
    var missing: [CURLcode] { [CURLE_REMOTE_FILE_NOT_FOUND] }

    func renaming(_ name: String, to goal: String) -> [String] {
        ["rename \(path(name)) \(path(goal))"]
    }

    func removing(_ name: String) -> String { "rm \(path(name))" }

    /// The path for commands, which are not resolved as an address's path is.
    private func path(_ name: String) -> String {
        var path = address.decodedPath
        if path == "/~" || path.hasPrefix("/~/") { path = String(path.dropFirst(3)) }
        return "\"" + (path.isEmpty || path.hasSuffix("/") ? path : path + "/")
            + name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
