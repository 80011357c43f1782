import FoundationEssentials

/// The code blocks of Docs/developers/WritingABackend.md.
struct TutorialPage {
    /// A fenced block: the text after the opening fence, and the block's lines.
    struct Block {
        var kind: String
        var text: String
    }

    let blocks: [Block]

    /// Reads the page.
    init() throws {
        let page = try String(
            contentsOfFile: Self.root + "/Docs/developers/WritingABackend.md", encoding: .utf8)
        var blocks: [Block] = []
        var open: Block?
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let block = open { blocks.append(block) }
                open = open == nil ? Block(kind: String(line.dropFirst(3)), text: "") : nil
            } else {
                open?.text += line + "\n"
            }
        }
        self.blocks = blocks
    }

    /// The folder of the package.
    static var root: String {
        "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
    }

    /// The text of all blocks of a kind.
    func text(_ kind: String) -> String {
        blocks.filter { $0.kind == kind }.map(\.text).joined(separator: "\n")
    }

    /// The kinds of blocks that show a file, each with the file in Examples.
    static let files = [
        "python netcam.py": "python/netcam.py", "c netcam.c": "c/netcam.c",
        "json python/backend.json": "python/backend.json", "json c/backend.json": "c/backend.json",
        "json swift/backend.json": "swift/backend.json",
        "swift Package.swift": "swift/Package.swift",
        "swift Sources/netcam/Programs.swift": "swift/Sources/netcam/Programs.swift",
        "swift Sources/netcam/Pictures.swift": "swift/Sources/netcam/Pictures.swift",
        "swift Sources/netcam/Camera.swift": "swift/Sources/netcam/Camera.swift",
        "swift Sources/netcam/Cameras.swift": "swift/Sources/netcam/Cameras.swift",
        "swift Sources/netcam/main.swift": "swift/Sources/netcam/main.swift",
    ]

    /// The kinds of blocks that are run: before a file is written, to build, and with the finished
    /// backend.
    static let commands = ["sh", "sh c", "sh swift", "sh netcam"]
}
