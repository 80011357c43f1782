import Archive
import CommandLine
import Delivery
import FoundationEssentials
import Glibc
import UserFiles

/// `copystand open`: shows a document in the desktop's viewer.
enum OpenCommand {
    static let command = Command(
        name: "open", summary: "Show an archived document in your PDF viewer",
        discussion: """
            Writes the document as a searchable PDF into ~/.cache/copystand, or \
            $XDG_CACHE_HOME/copystand, and opens it \
            with xdg-open.
            """,
        examples: [Example("Look at it", "copystand open 12")],
        arguments: [ArchiveOptions.id], options: [ArchiveOptions.folder],
        handler: handler { arguments, console in
            let id = ArchiveOptions.document(arguments)
            let folder = try cacheFolder()
            let path = try await withArchive(arguments, .readOnly) { archive in
                let path = "\(folder)/document-\(id).pdf"
                // The file of an earlier viewing may be outdated; a viewer that has it open keeps
                // it.
                unlink(path)
                return try archive.deliver(id, to: FileSink(path: path)).locations.first ?? path
            }
            try await offPool { try run("xdg-open", [path]) }
            console.say("Opened \(path)")
            return .done
        })

    /// The folder for such files, which only its owner can look into.
    private static func cacheFolder() throws -> String {
        let folder = try UserFolders(environment: ProcessInfo.processInfo.environment)
            .usable(.cache)
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw DeliveryError(
                .folderMissing,
                "The folder '\(folder)' can't be made: \(String(cString: strerror(errno))). "
                    + "Set XDG_CACHE_HOME to a folder that you may write to."
            )
        }
        return folder
    }

    /// Runs a program found in PATH, with `posix_spawnp(3)` and never through a shell, and waits
    /// for its end.
    private static func run(_ program: String, _ arguments: [String]) throws {
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        let environment = ProgramEnvironment.allowed(
            of: ProcessInfo.processInfo.environment, and: ProgramEnvironment.desktop)
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var child: pid_t = 0
        let failure = posix_spawnp(&child, program, nil, nil, &words, &variables)
        guard failure == 0 else {
            throw OutputFailure(
                message: failure == ENOENT
                    ? "\(program) is not installed. Install xdg-utils, or write the document with: copystand export ID -o FILE"
                    : "\(program) can't be started: \(String(cString: strerror(failure)))")
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            throw OutputFailure(
                message:
                    "\(program) could not open '\(arguments.joined(separator: " "))' (exit status \((status >> 8) & 0xFF)). "
                    + "Open that file yourself, or choose a program for PDFs.")
        }
    }
}
