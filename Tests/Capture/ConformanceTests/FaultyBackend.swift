import FoundationEssentials

/// A backend in Python that keeps the protocol but for one fault (`faulty.py`), as a program in a
/// folder of its own.
final class FaultyBackend {
    let program: String
    private let folder: Folder

    init(_ fault: String) throws {
        folder = try Folder()
        program = try folder.program(
            "backend", Self.source.replacing("FAULT = \"\"", with: "FAULT = '\(fault)'"))
    }

    /// The program's text.
    static let source: String = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().path + "/faulty.py"
        return (try? String(contentsOf: URL(filePath: file), encoding: .utf8)) ?? ""
    }()

    /// The faults that the program's text knows: the names in quotes after `faulty(`.
    static var known: Set<String> {
        var names: Set<String> = []
        for call in source.split(separator: "faulty(\"").dropFirst() {
            names.insert(String(call.prefix { $0 != "\"" }))
        }
        return names
    }
}
