import CommandLine

/// `copystand man-page`: the source of the man page, for `Scripts/install`.
enum ManPageCommand {
    static let command = Command(
        name: "man-page", summary: "Print the source of the man page", isHidden: true,
        handler: handler { _, console in
            let page = ManualPage(
                CommandCatalog.root, version: Program.version, date: Program.date)
            try console.result(page.text)
            return .done
        })
}
