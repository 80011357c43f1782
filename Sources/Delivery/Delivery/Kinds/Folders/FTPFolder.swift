import CCurl
import HTTPClient

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
        RemoteFolderDeliverer(definition: definition) { () throws(DeliveryError) in
            try FTPFolder(definition, tools)
        }
    }
}

extension SinkSetting {
    /// The setting that allows connections without TLS.
    static let encryption = SinkSetting.parameter(
        "encryption", "tls unless given; with none, everyone on the network can read what is sent",
        choices: ["tls", "none"])
    /// A certificate to trust instead of the system's authorities.
    static let authority = SinkSetting.parameter(
        "ca-file", "the full path of a certificate to trust instead of the system's")
}

extension SinkDefinition {
    /// Sets the TLS requirements of a connection.
    func secure(_ order: inout CurlTransfer.Order) {
        let isPlain = parameter("encryption") == "none"
        order.numbers.append((CURLOPT_USE_SSL, isPlain ? 0 : 3))
        if let file = parameter("ca-file") { order.texts.append((CURLOPT_CAINFO, file)) }
    }
}

/// A folder of an FTP server, through libcurl.
///
/// FTP's rename may replace a file, so the name is checked right before.
struct FTPFolder: CommandFolder {
    let address: WebAddress
    let transfer: CurlTransfer
    let base: CurlTransfer.Order

    init(_ definition: SinkDefinition, _ tools: DeliveryTools) throws(DeliveryError) {
        address = try WebAddress(sink: definition.url ?? "", schemes: definition.kind.schemes)
        transfer = try CurlTransfer(definition, tools)
        var base = CurlTransfer.Order(url: "")
        base.texts = [
            (CURLOPT_USERNAME, definition.user ?? ""),
            (CURLOPT_PASSWORD, definition.password ?? ""),
        ]
        definition.secure(&base)
        if definition.parameter("encryption") != "none" {
            base.numbers.append((CURLOPT_SSLVERSION, Self.resumable))
            base.otherwise = [(CURLOPT_SSLVERSION, 0), (CURLOPT_FORBID_REUSE, 1)]
        }
        self.base = base
    }

    /// TLS 1.2, where the server has it: libcurl resumes its sessions at every data connection,
    /// which many servers require.
    ///
    /// With TLS 1.3 it finds no session for data connections after the first
    /// (`CURL_SSLVERSION_TLSv1_2`, `CURL_SSLVERSION_MAX_TLSv1_2`).
    private static let resumable = 6 | 6 << 16

    let asksLength = true
    // The folder may not exist yet, and is then made.
    var missing: [CURLcode] { [CURLE_REMOTE_FILE_NOT_FOUND, CURLE_REMOTE_ACCESS_DENIED] }

    func renaming(_ name: String, to goal: String) -> [String] {
        ["RNFR \(lastName(name))", "RNTO \(lastName(goal))"]
    }

    func removing(_ name: String) -> String { "DELE \(lastName(name))" }

    /// The name for commands: libcurl has changed to the file's folder before them.
    private func lastName(_ name: String) -> String {
        String(name.split(separator: "/").last ?? "")
    }
}
