import Detection
import FoundationEssentials
import Testing

@testable import Processing

/// Tests the user's own profiles, which are stored, shown as plain JSON, and removed.
@Suite struct ProfileEditingTests {
    private let folder: String
    private let library: ProfileLibrary

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/profiles-\(UUID().uuidString)"
        library = ProfileLibrary(folder: folder)
    }

    private func removed() { try? FileManager.default.removeItem(atPath: folder) }

    @Test(
        "A profile written as plain JSON is the same profile again",
        arguments: ["document", "none", "photo", "book", "card"])
    func roundTrip(_ name: String) throws {
        defer { removed() }
        var profile = try library.load(name)
        try library.save(Data(try profile.json().utf8), as: "mine")
        var copy = try library.load("mine")
        (profile.name, copy.name) = ("", "")
        #expect(copy == profile)
    }

    @Test("A region, changed live settings and sinks survive as plain JSON")
    func everything() throws {
        defer { removed() }
        let text = """
            {title: "T", looksFor: "region", region: {left: 0.25, top: 0, width: 0.5, height: 1},
             steps: ["deskew", {light: {threshold: 0.5}}], live: {ready: 0.9}, sinks: ["archive", \
             "office"]}
            """
        try library.save(Data(text.utf8), as: "a")
        var first = try library.load("a")
        try library.save(Data(try first.json().utf8), as: "b")
        var second = try library.load("b")
        (first.name, second.name) = ("", "")
        #expect(second == first)
        #expect(second.live.ready == 0.9)
        #expect(second.sinks == ["archive", "office"])
    }

    @Test(
        "Built-in profiles are neither overwritten nor removed, and invalid names are refused",
        arguments: ["document", "none", "../x", "a/b", ".hidden", "", "a b"])
    func refused(_ name: String) throws {
        defer { removed() }
        #expect {
            try library.save(Data("{}".utf8), as: name)
        } throws: {
            ($0 as? ProfileError)?.code == .notCopied
        }
        #expect(throws: ProfileError.self) { try library.remove(name) }
        #expect(!FileManager.default.fileExists(atPath: folder + "/../x.json5"))
    }

    @Test("A profile with mistakes is not saved, and every mistake is reported with its place")
    func mistakes() throws {
        defer { removed() }
        let text = #"{"steps": [{"deskew": {"maximum": 99}}, "nothing-such"]}"#
        #expect {
            try library.save(Data(text.utf8), as: "mine")
        } throws: {
            ($0 as? ProfileError)?.problems.map(\.place) == ["steps[0].deskew.maximum", "steps[1]"]
        }
        #expect(!library.list().contains { $0.name == "mine" })
    }

    @Test("A user's own profile is replaced and removed")
    func own() throws {
        defer { removed() }
        for title in ["one", "two"] {
            try library.save(Data(#"{"title": "\#(title)"}"#.utf8), as: "mine")
            #expect(try library.load("mine").title == title)
        }
        try library.remove("mine")
        #expect {
            try library.remove("mine")
        } throws: {
            ($0 as? ProfileError)?.code == .unknownProfile
        }
    }
}
