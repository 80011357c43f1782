/// The options for what is delivered.
enum FileOptions {
    static let all = [
        declaration(of: .compression), declaration(of: .keepsBlankPages),
        declaration(of: .allowsDuplicates),
    ]
}

/// The compression of a TIFF's pages.
public enum TIFFCompression: String, JobOptionChoice {
    /// The file is not compressed, which is fastest.
    case none
    /// The file is compressed without loss.
    case lossless
}

extension JobOption<TIFFCompression?> {
    /// The compression of TIFF files; nil for none if the profile leaves pages unchanged, and
    /// lossless otherwise.
    public static var compression: Self {
        Self(
            "compression", .choice(TIFFCompression.allCases.map(\.rawValue)), usual: nil,
            argument: JobOptionArgument(
                name: "compression", value: "HOW", commands: [.scan, .import, .watchFolder],
                help: """
                    How to compress a .tiff: none (the fastest, pixels as they are) or lossless. \
                    Unless given: none with a profile that changes nothing, otherwise lossless.
                    """))
    }
}

extension JobOption<Bool> {
    /// True when pages on which nothing is written are delivered like any other.
    public static var keepsBlankPages: Self {
        Self(
            "keepsBlankPages", .flag, usual: false,
            argument: JobOptionArgument(
                name: "keep-blank",
                commands: [.scan, .import, .watchFolder, .resume, .export, .append],
                help: "Keep blank pages, which are otherwise left out of files.",
                goesWithHost: true))
    }

    /// True when documents that the archive already has are not mentioned.
    public static var allowsDuplicates: Self {
        Self(
            "allowsDuplicates", .flag, usual: false,
            argument: JobOptionArgument(
                name: "allow-duplicates", commands: [.scan, .import, .watchFolder, .append],
                help: "Don't mention documents that the archive already has.", goesWithHost: true))
    }
}
