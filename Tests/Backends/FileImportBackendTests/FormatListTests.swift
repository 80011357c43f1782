import FoundationEssentials
import Testing

@testable import FileImportBackend

/// Tests the list of formats that are read.
@Suite struct FormatListTests {
    private static let root =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    private static let folder = root + "/Plugins/FileImport/Formats"
    private static let formats = ImportFormat.all

    private static func text(of path: String) throws -> String {
        try String(contentsOf: URL(filePath: path), encoding: .utf8)
    }

    @Test("The list contains every declared format once, and every folder declares one")
    func complete() throws {
        var declared: [String] = []
        var folders: Set<Substring> = []
        for file in try FileManager.default.subpathsOfDirectory(atPath: Self.folder)
        where file.contains("/") && file.hasSuffix(".swift") {
            let names = try Self.text(of: Self.folder + "/" + file)
                .matches(of: /static let \w+ = Self\(\s*name: "([^"]+)"/).map { String($0.1) }
            declared += names
            if !names.isEmpty, let folder = file.split(separator: "/").first {
                folders.insert(folder)
            }
        }
        #expect(declared.sorted() == Self.formats.map(\.name).sorted())
        let existing = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
            .filter { !$0.hasSuffix(".swift") }
        #expect(folders.map(String.init).sorted() == existing.sorted())
    }

    @Test("No two formats have the same name or the same ending")
    func unique() {
        #expect(Set(Self.formats.map(\.name)).count == Self.formats.count)
        let endings = Self.formats.flatMap(\.usualExtensions)
        #expect(Set(endings).count == endings.count)
    }

    @Test(
        "The help of import, the manifest and the list for errors name every format",
        arguments: [
            "Plugins/FileImport/backend.json",
            "Sources/CommandLine/copystand/Commands/Scan/Import.swift",
        ])
    func named(in file: String) throws {
        // A name may be on two lines of a help text.
        let text = try Self.text(of: Self.root + "/" + file).replacing(/\\?\n\s*/, with: "")
        for format in Self.formats {
            #expect(text.contains(format.name), "\(format.name)")
            #expect(ImportFormat.list.contains(format.name))
        }
    }
}
