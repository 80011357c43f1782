import CommandLine

/// `copystand backend`: writing, installing and following backends.
enum BackendCommand {
    static let command = Command(
        name: "backend", summary: "Write, install, remove and follow backends of your own",
        discussion: """
            A backend is a program that serves scanners, cameras or files to Copystand. \
            Docs/developers/WritingABackend.md builds one in \
            Swift, Python and C; 'copystand backends' lists those that are installed.
            """,
        examples: [
            Example(
                "A new backend that runs at once",
                "copystand backend new mycam --language python"),
            Example("See its pictures while you write it", "copystand backend dev ./mycam"),
            Example("Check whether it follows the protocol", "copystand backend check ./mycam"),
            Example("Use it everywhere", "copystand backend install ./mycam"),
            Example(
                "See what it and Copystand say to each other",
                "copystand backend trace mycam -- devices"),
        ],
        subcommands: [
            BackendNew.command, BackendDev.command, BackendConformance.command,
            BackendInstall.command,
            BackendRemove.command,
            BackendTrace.command,
        ])
}
