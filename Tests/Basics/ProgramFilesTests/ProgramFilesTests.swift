import FoundationEssentials
import ProgramFiles
import Testing

/// Tests the files that are part of the program.
@Suite struct ProgramFilesTests {
    private static let root = (0..<4).reduce(URL(filePath: #filePath)) { place, _ in
        place.deletingLastPathComponent()
    }.path

    @Test(
        "Folders that are part of the program are so with every file",
        arguments: [
            "Sources/Host/WebPage/files", "Sources/Core/Processing/Profiles/BuiltIn",
            "Sources/CommandLine/copystand/Paddle",
        ])
    func complete(_ folder: String) throws {
        let place = Self.root + "/" + folder
        let files = try FileManager.default.subpathsOfDirectory(atPath: place).filter {
            let facts = try FileManager.default.attributesOfItem(atPath: place + "/" + $0)
            return facts[.type] as? FileAttributeType == .typeRegular
        }
        let found = ProgramFiles.below(folder)
        #expect(!files.isEmpty)
        #expect(found.map(\.path) == files.sorted())
        for file in found {
            let expected = try Data(contentsOf: URL(filePath: place + "/" + file.path))
            #expect(Data(file.bytes) == expected, "\(file.path)")
        }
    }

    @Test("A file is found by its path in the source tree")
    func single() throws {
        let path = "Docs/protocol/capture.schema.json"
        let expected = try Data(contentsOf: URL(filePath: Self.root + "/" + path))
        #expect(Data(ProgramFiles.bytes(of: path)) == expected)
    }

    @Test("A folder's name is not the beginning of another one's")
    func folders() {
        #expect(ProgramFiles.below("Sources/Host/WebPage/file").isEmpty)
    }
}
