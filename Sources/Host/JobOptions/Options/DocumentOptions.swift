/// The options that describe the document.
enum DocumentOptions {
    static let all = [declaration(of: .title), declaration(of: .tags)]
}

extension JobOption<String?> {
    /// The document's title; nil for the first output's name.
    public static var title: Self {
        Self(
            "title", .text(mayBeEmpty: true), usual: nil, reach: .everyone,
            argument: JobOptionArgument(
                name: "title", short: "t", value: "TITLE",
                commands: [.scan, .import, .watch, .watchFolder, .capture],
                help: "The document's title."))
    }
}

extension JobOption<[String]> {
    /// Tags that the document gets in the archive.
    public static var tags: Self { Self("tags", .texts, usual: []) }
}
