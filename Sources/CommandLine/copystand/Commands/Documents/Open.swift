import BlockingWork
import Archive
import CommandLine
import Delivery
import FoundationEssentials
import GuardedFiles
import UserFiles

/// `copystand open`: shows the web page in the browser, or a document in the desktop's viewer.
enum OpenCommand {
    private static let id = Argument(
        "ID", .optional, .integer(1...Int.max),
        help: "The document, as 'copystand list' numbers it; the web page when none is named.",
        completion: .dynamic("documents"))

    static let command = Command(
        name: "open", summary: "Show the web page, or an archived document in your PDF viewer",
        discussion: """
            Without an ID, it shows the web page at \(OwnHost.address) in your browser, and starts \
            the host if none answers there: as the user service where it is installed, otherwise \
            in the background. If your host asks for a token, the browser is signed in.

            With an ID, it writes the document as a searchable PDF into ~/.cache/copystand, or \
            $XDG_CACHE_HOME/copystand, and opens it with xdg-open.
            """,
        examples: [
            Example("Scan in the browser", "copystand open"),
            Example("Look at a document", "copystand open 12"),
        ],
        arguments: [id], options: [ArchiveOptions.folder],
        handler: handler { arguments, console in
            guard let number = arguments.text(id).flatMap({ Int64($0) }) else {
                try await onOwnThread {
                    let host = OwnHost()
                    try host.start()
                    let environment = ProcessInfo.processInfo.environment
                    try DesktopProgram("xdg-open").run([host.page(environment: environment)])
                }
                console.say("Opened \(OwnHost.address)")
                return .done
            }
            let id = DocumentID(rawValue: number)
            let folder = try cacheFolder()
            let path = try await withArchive(arguments, .readOnly) { archive in
                let path = "\(folder)/document-\(id).pdf"
                // A file from an earlier call may be outdated; a viewer with an open file keeps it.
                GuardedFolder.removeFile(at: path)
                return try archive.deliver(id, to: FileSink(path: path)).locations.first ?? path
            }
            try await onOwnThread { try DesktopProgram("xdg-open").run([path]) }
            console.say("Opened \(path)")
            return .done
        })

    /// The folder for such files, which only its owner can look into.
    private static func cacheFolder() throws -> String {
        let folder = try UserFolders(environment: ProcessInfo.processInfo.environment)
            .usable(.cache)
        do throws(GuardedFileError) {
            _ = try GuardedFolder.make(folder)
            _ = try GuardedFolder.own(folder)
        } catch {
            throw DeliveryError(
                .folderMissing,
                error.message + " (or set XDG_CACHE_HOME to a folder that you may write to)")
        }
        return folder
    }
}
