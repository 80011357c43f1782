extension SinkDefinition.Kind {
    /// Every kind of named sink, in the order of lists: a new kind is a file in a folder beside
    /// this file, and a line here.
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
