import BlockingWork
import CommandLine
import FoundationEssentials
import Glibc
import GuardedFiles
import ProgramFiles
import Readers
import UserFiles

/// `copystand readers install paddle`: sets up the reader whose parts are pinned in the program.
enum ReadersInstall {
    private static let name = Argument(
        "READER", .one, .choice([Readers.network]), help: "The reader: paddle.")

    static let command = Command(
        name: "install", summary: "Set up a reader that reads what Tesseract can't",
        discussion: """
            paddle is PP-OCR, a network that reads tables, receipts and poor copies better than \
            Tesseract, in some fifty languages. It is made of Python packages of fixed versions, \
            which are fetched from the Python Package Index, checked by their hashes, and put \
            into ~/.local/share/copystand/readers/paddle, some 400 MB. When pages are read, \
            nothing is fetched. To uninstall it, remove that folder.

            It needs Python 3.11 or newer with its module venv (on Debian: python3-venv); \
            COPYSTAND_PYTHON names a program other than python3.
            """,
        examples: [Example("Read better", "copystand readers install paddle")],
        arguments: [name], handler: handler(run))

    private static func run(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        let environment = ProcessInfo.processInfo.environment
        let folders = UserFolders(environment: environment)
        let folder = try folders.usable(.data) + "/readers/" + Readers.network
        // A setup that was interrupted starts over.
        GuardedFolder.removeTree(at: folder)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for file in ProgramFiles.below("Sources/CommandLine/copystand/Paddle") {
            // Only a reader that is set up has a manifest; the script renames it at the end.
            let name = file.path == "reader.json" ? "reader.json.new" : file.path
            try Data(file.bytes).write(to: URL(filePath: folder + "/" + name))
        }
        console.say("Fetching its packages, some 100 MB; this takes a minute or two.")
        guard await setUp(folder) else {
            GuardedFolder.removeTree(at: folder)
            console.warn(
                "paddle could not be set up; see the reason above. Pages are read as before. Check that this machine reaches pypi.org and has python3 and python3-venv, "
                    + "and try again."
            )
            return .deviceFailed
        }
        console.say("paddle is set up. From now on it reads text that Tesseract is unsure about.")
        return .done
    }

    /// Runs the script, whose output is the command's own; false when it failed.
    private static func setUp(_ folder: String) async -> Bool {
        await onOwnThread {
            let arguments = ["/bin/sh", folder + "/install.sh", folder]
            var words = arguments.map { strdup($0) }
            words.append(nil)
            defer { words.forEach { free($0) } }
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            // The output of pip is not a result of the command.
            posix_spawn_file_actions_adddup2(&actions, 2, 1)
            var child: pid_t = 0
            guard posix_spawn(&child, "/bin/sh", &actions, nil, &words, environ) == 0 else {
                return false
            }
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            return status == 0
        }
    }
}
