import CaptureHost
import CommandLine

/// `copystand backend install`: copies a backend into the user's data folder.
enum BackendInstall {
    private static let folder = Argument(
        "FOLDER", .one, .path, help: "The backend's folder, with its backend.json.",
        completion: .folders)
    private static let replace = Option(
        flag: "replace", help: "Replace an installed backend with the same id.")

    static let command = Command(
        name: "install", summary: "Install a backend for yourself",
        discussion: """
            Copies backend.json, its program and the files that it names in "files" to \
            ~/.local/share/copystand/backends, so that FOLDER is no longer needed. The copy is \
            started once, to see that it \
            speaks the protocol. Nothing is built and nothing is installed as root.
            """,
        examples: [
            Example("Install it", "copystand backend install ./mycam"),
            Example("Install it again", "copystand backend install ./mycam --replace"),
        ],
        arguments: [folder], options: [replace],
        handler: handler { arguments, console in
            let known = try await withCaptureHost(console) { await $0.backends() }
            let report = try await BackendInstaller().install(
                absolutePath(arguments.text(folder) ?? ""), known: known,
                replaces: arguments.isGiven(replace))
            console.say(
                "The backend '\(report.id)' is installed. See its devices with: copystand devices --backend \(report.id)"
            )
            return .done
        })
}

/// `copystand backend remove`: removes an installed backend.
enum BackendRemove {
    private static let name = Argument(
        "BACKEND", .one, .name, help: "The backend's id, as 'copystand backends' shows it.",
        completion: .dynamic("backends"))

    static let command = Command(
        name: "remove", summary: "Remove a backend that you installed",
        discussion: "The folder it was installed from stays as it is.",
        examples: [Example("Remove it", "copystand backend remove mycam")], arguments: [name],
        handler: handler { arguments, console in
            let id = arguments.text(name) ?? ""
            let known = try await withCaptureHost(console) { await $0.backends() }
            try BackendInstaller().remove(id, known: known)
            console.say("The backend '\(id)' is removed.")
            return .done
        })
}
