import CommandLine
import FoundationEssentials
import Glibc
import UserFiles

/// `copystand backend new`: makes a folder with a backend that builds and runs.
enum BackendNew {
    private static let folder = Argument(
        "FOLDER", .one, .path,
        help:
            "The folder to make. Its name is the backend's id: 1 to 32 lowercase letters, digits and hyphens.",
        completion: .folders)
    private static let language = Option(
        "language", short: "l", value: "LANGUAGE",
        .choice(BackendTemplate.Language.allCases.map(\.rawValue)),
        help: "What it is written in.")
    private static let sources = Option(
        "copystand", value: "PLACE", .path,
        help: """
            Where Copystand's sources are, for Swift: a folder, or the address of a repository. \
            Needed only if this program is not in the build folder of its sources.
            """,
        completion: .folders)

    static let command = Command(
        name: "new", summary: "Make a folder with a new backend that builds and runs",
        discussion: """
            It serves a made-up scanner with an option, so that everything can be tried before the \
            first line is changed. \
            The folder has a manifest, a README.md for its users, an icon, a fake device, a test \
            that builds it and scans from it, and a file for a build server that does the same. \
            A backend in Swift also needs Copystand's sources; others need nothing else.
            """,
        examples: [
            Example("In Python", "copystand backend new mycam --language python"),
            Example("In Swift", "copystand backend new mycam --language swift"),
        ],
        arguments: [folder], options: [language, sources], handler: handler(run))

    private static func run(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        guard let language = arguments.text(language).flatMap(BackendTemplate.Language.init) else {
            throw UsageError(
                .refused("is needed: say swift, python, c, javascript or rust"),
                argument: "--language",
                path: arguments.path)
        }
        let name = arguments.text(folder) ?? ""
        let path = absolutePath(name)
        let template = BackendTemplate(
            id: try id(ofFolder: path, arguments), language: language,
            sources: language == .swift ? try swiftSources(arguments) : nil)
        try makeFolder(path, named: name, arguments)
        for file in template.files {
            let goal = URL(filePath: path + "/" + file.path)
            try FileManager.default.createDirectory(
                at: goal.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.bytes).write(to: goal)
            if file.isProgram { chmod(path + "/" + file.path, 0o755) }
        }
        if !isInstalled(language.tool) {
            let purpose = language.isBuilt ? "builds" : "runs"
            console.warn(
                "'\(language.tool)', which \(purpose) it, is not in the PATH. \(language.remedy)")
        }
        console.say(
            """
            \(name) is now a backend in \(language.title). Next:
              \(name)/test                          # builds it, scans from it
              copystand backend dev \(name)         # runs it while you write
              copystand backend install \(name)     # makes it one of your devices
            """)
        return .done
    }

    private static func id(
        ofFolder path: String, _ arguments: ParsedArguments
    ) throws -> String {
        let id = path.split(separator: "/").last.map(String.init) ?? ""
        guard (1...32).contains(id.utf8.count), id.utf8.allSatisfy(isLetter), !id.hasPrefix("-")
        else {
            throw UsageError(
                .refused(
                    "can't be a backend's id: use 1 to 32 lowercase letters, digits and hyphens"),
                argument: id, path: arguments.path)
        }
        return id
    }

    private static func swiftSources(_ arguments: ParsedArguments) throws -> String {
        let named = arguments.text(sources).map { $0.contains("://") ? $0 : absolutePath($0) }
        guard let place = named ?? ownSources() else {
            throw UsageError(
                .refused("is needed for Swift: where Copystand's sources are"),
                argument: sources.spelling, path: arguments.path)
        }
        return place
    }

    private static func makeFolder(
        _ path: String, named name: String, _ arguments: ParsedArguments
    ) throws {
        if mkdir(path, 0o777) == 0 { return }
        if let refusal = DiskRefusal(errno, at: path) {
            throw UserFileError(
                refusal.reason == .full ? .noSpace : .readOnly,
                "'\(path)' can't be made. \(refusal.message)")
        }
        let reason =
            errno == EEXIST
            ? "already exists: name a new folder"
            : "can't be made: \(systemReason(errno, at: path))"
        throw UsageError(.refused(reason), argument: name, path: arguments.path)
    }

    private static func isInstalled(_ tool: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return path.split(separator: ":").contains { access("\($0)/\(tool)", X_OK) == 0 }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    }

    /// The package whose build folder contains this program.
    private static func ownSources() -> String? {
        var folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        for _ in 0..<6 {
            folder = folder.deletingLastPathComponent()
            let hasKit = FileManager.default.fileExists(
                atPath: folder.appending(path: "Sources/Capture/CaptureKit").path)
            if hasKit { return folder.path }
        }
        return nil
    }
}
