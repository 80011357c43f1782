/// The options that control how text is read.
enum TextOptions {
    static let all = [
        declaration(of: .languages), declaration(of: .reader), declaration(of: .existingText),
    ]
}

extension JobOption<[String]> {
    /// Languages to read, as Tesseract names them; empty for the profile's own.
    public static var languages: Self {
        Self(
            "languages", .texts, usual: [], reach: .everyone,
            argument: JobOptionArgument(
                name: "language", short: "l", value: "LANGUAGE",
                commands: [.scan, .import, .watch, .watchFolder, .capture],
                help: "A language of the text, such as eng or deu, instead of the profile's.",
                completion: "languages"))
    }
}

extension JobOption<String?> {
    /// The reader of the text; nil for the profile's.
    public static var reader: Self {
        Self(
            "reader", .text(mayBeEmpty: false), usual: nil, effect: .step("text.reader"),
            argument: JobOptionArgument(
                name: "reader", value: "READER", commands: [.scan, .import, .watch, .watchFolder],
                help: """
                    What reads the text: auto, tesseract, or another that 'copystand readers' lists.
                    """,
                completion: "readers"))
    }

    /// The treatment of text that a PDF's page already has; nil for the profile's.
    public static var existingText: Self {
        Self(
            "existingText", .choice(["keep", "redo", "drop"]), usual: nil,
            effect: .step("text.existing"),
            argument: JobOptionArgument(
                name: "existing-text", value: "WHAT",
                commands: [.scan, .import, .watchFolder, .append],
                help: """
                    What to do with text that a PDF's page already has: keep it and read only \
                    pages without text (the default), redo it, or drop it and leave the page \
                    without text.
                    """))
    }
}
