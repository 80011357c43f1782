import CommandLine

/// The program's commands: a new one is a file in `Commands` and a line here.
enum CommandCatalog {
    /// The program with all its commands.
    static var root: Command {
        Command(
            name: "copystand",
            summary: "turn scanners, cameras and files into searchable documents",
            discussion: """
                Copystand takes pages from a scanner, a camera or files. It crops and straightens \
                them, evens the light and reads the text. The result is a PDF with selectable \
                text, or another format that the name of the output file selects.
                """,
            examples: [
                Example(
                    "Turn photos of pages into one searchable PDF",
                    "copystand import *.jpg -o letter.pdf"),
                Example("List the devices", "copystand devices"),
                Example(
                    "Scan from the only device, or the default one", "copystand scan -o letter.pdf"),
                Example(
                    "Capture what is laid under a camera, page after page",
                    "copystand watch -o minutes.pdf"),
                Example("See what is missing on this machine", "copystand doctor"),
            ],
            subcommands: [
                ScanCommand.command,
                PreviewCommand.command,
                ImportCommand.command,
                WatchCommand.command,
                WatchFolderCommand.command,
                SeparatorCommand.command,
                CaptureCommand.command,
                DetectCommand.command,
                JobsCommand.command,
                SinksCommand.command,
                OutboxCommand.command,
                SearchCommand.command,
                ListCommand.command,
                ShowCommand.command,
                OpenCommand.command,
                ExportCommand.command,
                EditCommand.command,
                PagesCommand.command,
                TagCommand.command,
                TrashCommand.command,
                RestoreCommand.command,
                ArchiveCommand.command,
                ServeCommand.command,
                WorkCommand.command,
                StatusCommand.command,
                ShareCommand.command,
                TokenCommand.command,
                DevicesCommand.command,
                OptionsCommand.command,
                DeviceCommand.command,
                ProfilesCommand.command,
                BackendsCommand.command,
                BackendCommand.command,
                ReadersCommand.command,
                DoctorCommand.command,
                CompletionsCommand.command,
                ManPageCommand.command,
                ParseCommand.command,
                SignCertificateCommand.command,
            ],
            notes: [
                Note(
                    "Environment",
                    [
                        .init(
                            "COPYSTAND_BACKENDS",
                            "More folders with backends, separated by colons."),
                        .init(
                            "COPYSTAND_READERS", "More folders with readers, separated by colons."),
                        .init(
                            "COPYSTAND_READER",
                            "The reader to use when none is named: auto, tesseract or another of 'copystand readers'."
                        ),
                        .init(
                            "COPYSTAND_SPOOL",
                            "The folder that keeps pages until they are delivered; ~/.local/state/copystand/spool unless set."
                        ),
                        .init(
                            "COPYSTAND_KEEP_JOBS",
                            "How many days to keep delivered jobs whose scanning ended early; 30 unless set, 'always' for no limit."
                        ),
                        .init(
                            "COPYSTAND_ARCHIVE",
                            "The archive when none is named: a folder, or a database such as postgresql://db/scans."
                        ),
                        .init(
                            "COPYSTAND_OUTBOX",
                            "The folder of documents that wait for a sink; ~/.local/state/copystand/outbox unless set."
                        ),
                        .init(
                            "HOME",
                            "Your home folder, ~; the one in the password database unless set."),
                        .init(
                            "XDG_CONFIG_HOME",
                            "Its subfolder copystand has your settings; ~/.config unless set."
                        ),
                        .init(
                            "XDG_DATA_HOME",
                            "Its subfolder copystand is the archive; ~/.local/share unless set."
                        ),
                        .init(
                            "XDG_STATE_HOME",
                            "Its subfolder copystand has jobs and the outbox; ~/.local/state unless set."
                        ),
                        .init(
                            "COPYSTAND_HOST_TOKEN",
                            "The token for the host that --host names, unless --host-token-file is given."
                        ),
                        .init("NO_COLOR", "When set and not empty, no colors are used."),
                    ]),
                Note(
                    "Files",
                    [
                        .init(
                            "~/.config/copystand/profiles/NAME.json5",
                            "Your own profiles; one with the name of a built-in profile takes its place."
                        ),
                        .init(
                            "~/.config/copystand/devices.json",
                            "The default device and your names for devices."),
                        .init(
                            "~/.config/copystand/sinks.json",
                            "Your named sinks; only you may read it."),
                        .init(
                            "~/.config/copystand/tokens.json",
                            "Hashes of the tokens of 'serve'; only you may read it."),
                    ]),
                ExitCode.note,
            ])
    }
}
