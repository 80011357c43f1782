import CommandLine
import Delivery
import FoundationEssentials
import Glibc
import ScanService

/// The options of commands that write PDFs.
enum PDFArguments {
    private static let compression = Option(
        "pdf-compression", value: "HOW",
        .choice(PDFOptions.Compression.allCases.map(\.rawValue)),
        help: """
            How to store pictures in a PDF: jpeg; lossless, with every pixel exact; or mixed, with \
            sharp letters over a coarse background, which takes a fraction of the space and is \
            used only where no detail is lost.
            """,
        default: "jpeg")
    private static let quality = Option(
        "pdf-quality", value: "N", .integer(1...100),
        help: "Quality of pictures in a PDF; 50 for gray and 70 for color unless given.")
    private static let archival = Option(
        "pdf-a", value: "FORM", .choice(PDFOptions.Archival.allCases.map(\.rawValue)),
        help: "Write PDF/A, for archives; 2b is PDF/A-2b.",
        excludes: ["pdf-password-file", "pdf-owner-password-file"])
    private static let breakSignature = Option(
        flag: "break-signature",
        help:
            "Change a signed PDF, which invalidates its signature; without this option the PDF is copied as it is."
    )
    private static let passwordFile = Option(
        "pdf-password-file", value: "FILE", .path,
        help: """
            Encrypt the PDF (AES, 256 bits), so that it opens only with the password on the first \
            line of FILE; - asks for it, or \
            reads it from standard input.
            """,
        completion: .files)
    private static let ownerPasswordFile = Option(
        "pdf-owner-password-file", value: "FILE", .path,
        help: """
            Encrypt the PDF, so that readers allow changes only with this password; without \
            --pdf-password-file, everyone can read and print it.
            """,
        completion: .files)

    /// The options that must be given again when a job continues, because passwords are never
    /// stored.
    static let passwords = [passwordFile, ownerPasswordFile]
    /// All options for PDFs, in the order of the help.
    static let all = [compression, quality, archival, breakSignature] + passwords

    /// The settings for PDFs on a command line.
    ///
    /// - Throws: ``UsageError`` for a password that can't be read.
    static func order(_ parsed: ParsedArguments) throws -> PDFOrder {
        var order = PDFOrder()
        // Only given settings count: the default leaves pages from PDFs unchanged.
        if parsed.isGiven(compression) {
            order.compression = parsed.text(compression).flatMap(PDFOptions.Compression.init)
        }
        order.quality = parsed.integer(quality)
        order.archival = parsed.text(archival).flatMap(PDFOptions.Archival.init)
        order.breaksSignatures = parsed.isGiven(breakSignature) ? true : nil
        order.protection = try protection(parsed)
        return order
    }

    /// The passwords on a command line; nil for none.
    ///
    /// - Throws: ``UsageError`` for one that can't be read.
    static func protection(_ parsed: ParsedArguments) throws -> PDFProtection? {
        let password = try parsed.text(passwordFile).map {
            try read($0, "Password to open the PDF: ", option: passwordFile, parsed: parsed)
        }
        let owner = try parsed.text(ownerPasswordFile).map {
            try read($0, "Password to change the PDF: ", option: ownerPasswordFile, parsed: parsed)
        }
        guard password != nil || owner != nil else { return nil }
        return PDFProtection(password: password, ownerPassword: owner)
    }

    private static func read(
        _ path: String, _ question: String, option: Option, parsed: ParsedArguments
    ) throws -> String {
        let line: String?
        if path == "-", isatty(STDIN_FILENO) == 1 {
            line = SecretQuestion(question).ask()
        } else {
            line = FirstLine.of(path)
        }
        guard let line, !line.isEmpty else {
            throw UsageError(
                .refused("can't be read: name a text file whose first line is the password"),
                argument: option.spelling, path: parsed.path)
        }
        return line
    }
}
