import ProgramFiles

/// The files of a new backend.
struct BackendTemplate {
    /// The languages that a backend can be written in here.
    enum Language: String, CaseIterable {
        case swift, python, c, javascript, rust

        /// The language's name for people.
        var title: String {
            switch self {
            case .swift: "Swift"
            case .python: "Python"
            case .c: "C"
            case .javascript: "JavaScript"
            case .rust: "Rust"
            }
        }

        /// The program that builds or runs the backend.
        var tool: String {
            switch self {
            case .swift: "swift"
            case .python: "python3"
            case .c: "cc"
            case .javascript: "node"
            case .rust: "cargo"
            }
        }

        /// The command that installs that program if it is missing.
        var remedy: String {
            switch self {
            case .swift: "Install the toolchain of swift.org."
            case .python: "Install the package 'python3'."
            case .c: "Install the packages 'gcc' and 'libc6-dev'."
            case .javascript: "Install the package 'nodejs'."
            case .rust: "Install the package 'cargo', or the toolchain of rustup.rs."
            }
        }

        /// The programs that a user needs besides Copystand.
        var needs: String {
            switch self {
            case .swift, .c, .rust: "nothing else"
            case .python: "Python 3.9 or newer"
            case .javascript: "Node 18 or newer"
            }
        }

        /// True if the backend is compiled.
        var isBuilt: Bool { self != .python && self != .javascript }
    }

    /// A file of a new backend.
    struct File {
        /// The file's path below the backend's folder.
        var path: String
        /// The contents.
        var bytes: [UInt8]
        /// True when the file is executable.
        var isProgram = false
    }

    let id: String
    let language: Language
    /// The place of Copystand's sources: a folder, or a repository's address.
    let sources: String?

    /// All files, in no order.
    var files: [File] {
        [
            file("backend.json", manifest), file("README.md", CommonTemplates.readme),
            file("test", CommonTemplates.test, isProgram: true),
            file(".gitignore", ignored),
            file(".github/workflows/check.yml", CommonTemplates.workflow),
            file("icon.svg", CommonTemplates.icon),
        ] + builder + own
    }

    /// The program `build`; none for a language that needs no building.
    private var builder: [File] {
        build.isEmpty ? [] : [file("build", CommonTemplates.build, isProgram: true)]
    }

    private var own: [File] {
        switch language {
        case .python:
            [
                file("\(id).py", PythonTemplate.program, isProgram: true),
                file("fake_scanner.py", PythonTemplate.fake),
                kit("copystand_backend.py", from: "python"),
            ]
        case .c:
            [
                file("\(id).c", CTemplate.program), file("fake_scanner.h", CTemplate.fake),
                kit("copystand_backend.h", from: "c"),
            ]
        case .swift:
            [
                file("Package.swift", SwiftTemplate.package),
                file("Sources/\(id)/main.swift", SwiftTemplate.main),
                file("Sources/\(id)/TestCards.swift", SwiftTemplate.program),
                file("Sources/\(id)/FakeScanner.swift", SwiftTemplate.fake),
            ]
        case .javascript:
            [
                file("\(id).mjs", JavaScriptTemplate.program, isProgram: true),
                file("fake_scanner.mjs", JavaScriptTemplate.fake),
                kit("copystand_backend.mjs", from: "javascript"),
            ]
        case .rust:
            [
                file("Cargo.toml", RustTemplate.package),
                file("src/main.rs", RustTemplate.program),
                file("src/fake_scanner.rs", RustTemplate.fake),
                kit("copystand_backend.rs", from: "rust", to: "src/"),
            ]
        }
    }

    /// A language's file to copy, from `Examples`.
    private func kit(_ name: String, from language: String, to folder: String = "") -> File {
        File(
            path: folder + name, bytes: ProgramFiles.bytes(of: "Examples/\(language)/\(name)"))
    }

    /// The program, below the backend's folder.
    private var program: String {
        switch language {
        case .python: "\(id).py"
        case .c: id
        case .swift: ".build/release/\(id)"
        case .javascript: "\(id).mjs"
        case .rust: "target/release/copystand-\(id)"
        }
    }

    /// The file with the devices.
    private var source: String {
        switch language {
        case .python: "\(id).py"
        case .c: "\(id).c"
        case .swift: "Sources/\(id)/TestCards.swift"
        case .javascript: "\(id).mjs"
        case .rust: "src/main.rs"
        }
    }

    /// The variable with which tests choose the fake device and its fault.
    private var variable: String {
        let name = id.uppercased().replacing("-", with: "_") + "_FAKE"
        // A shell's variable does not begin with a digit.
        return (name.first?.isNumber == true ? "_" : "") + name
    }

    /// The needs of a build server: an image, and packages for it.
    private var server: (image: String, packages: String) {
        switch language {
        case .python: ("debian:12", "python3")
        case .c: ("debian:12", "gcc libc6-dev")
        case .swift: ("swift:6.3-bookworm", "libc6-dev")
        case .javascript: ("debian:12", "nodejs")
        case .rust: ("debian:12", "cargo")
        }
    }

    /// The commands that build the program; nothing for a language that needs no building.
    private var build: String {
        switch language {
        case .python, .javascript: ""
        case .c: "${CC:-cc} -O2 -Wall -Wextra -pthread -o \(id) \(id).c -lm"
        case .swift: "swift build -c release --static-swift-stdlib"
        case .rust: "cargo build --release"
        }
    }

    private var ignored: String {
        switch language {
        case .python: "__pycache__/\n"
        case .c: "/\(id)\n"
        case .swift: "/.build/\n"
        case .javascript: "node_modules/\n"
        case .rust: "/target/\n"
        }
    }

    /// The files that are installed with the program.
    private var companions: [String] {
        switch language {
        case .python: ["copystand_backend.py", "fake_scanner.py"]
        case .javascript: ["copystand_backend.mjs", "fake_scanner.mjs"]
        case .swift, .c, .rust: []
        }
    }

    private var manifest: String {
        let names = companions.map { "\"\($0)\"" }.joined(separator: ", ")
        let files = names.isEmpty ? "" : "\n  \"files\": [\(names)],"
        return """
            {
              "id": "{{id}}",
              "name": "{{title}}",
              "version": "1.0",
              "protocol": 1,
              "program": "\(program)",\(files)
              "environment": ["{{variable}}"],
              "serves": "a made-up scanner of test cards"
            }

            """
    }

    /// The Swift package's dependency on Copystand.
    private var dependency: String {
        let place = sources ?? ""
        let text = place.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return place.contains("://")
            ? ".package(url: \"\(text)\", branch: \"main\")"
            : ".package(name: \"copystand\", path: \"\(text)\")"
    }

    /// The name under which the Swift package knows Copystand.
    private var identity: String {
        guard let place = sources, place.contains("://") else { return "copystand" }
        let last = place.split(separator: "/").last.map(String.init) ?? ""
        return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
    }

    private func file(_ path: String, _ text: String, isProgram: Bool = false) -> File {
        var text = text
        let values = [
            "id": id, "title": id.prefix(1).uppercased() + id.dropFirst(), "build": build,
            "program": program, "dependency": dependency, "identity": identity,
            "variable": variable, "image": server.image, "packages": server.packages,
            "source": source, "tool": language == .c ? "${CC:-cc}" : language.tool,
            "remedy": language.remedy, "needs": language.needs,
        ]
        for (name, value) in values { text = text.replacing("{{\(name)}}", with: value) }
        return File(path: path, bytes: Array(text.utf8), isProgram: isProgram)
    }
}
