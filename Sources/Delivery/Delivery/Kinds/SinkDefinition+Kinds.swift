extension SinkDefinition.Kind {
    /// Every kind of named sink, in the order in which they are listed: a new one is a file next to
    /// this one, and a line here.
    public static let all: [SinkDefinition.Kind] = [
        paperless,
        webdav,
        nextcloud,
        webhook,
        email,
        sftp,
        ftps,
        smb,
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
