extension SinkDefinition.Kind {
    /// Every kind of named sink, in the order in which they are listed: a new one is a file beside
    /// this one, and a line here.
    public static let all: [SinkDefinition.Kind] = [
        paperless,
        webdav,
        webhook,
        email,
        sftp,
        ftps,
        s3,
        immich,
        docspell,
        ocrService,
        rclone,
        print,
        exec,
        file,
    ]
}
