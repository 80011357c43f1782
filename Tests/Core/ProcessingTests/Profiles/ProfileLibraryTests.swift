import FoundationEssentials
import Glibc
import Testing

@testable import Processing

@Suite struct ProfileLibraryTests {
    @Test("The built-in profiles have no mistakes, and have descriptions")
    func builtIn() throws {
        let library = ProfileLibrary(folder: "/nonexistent")
        let listings = library.list()
        #expect(
            listings.map(\.name) == [
                "book", "card", "document", "entries", "none", "photo", "receipt", "serial-label",
            ])
        for listing in listings {
            #expect(listing.problem == nil)
            #expect(listing.origin == .builtIn)
            #expect(!listing.title.isEmpty && !listing.description.isEmpty)
        }
        let document = try library.load("document")
        #expect(
            document.steps.map(\.name) == ["crop", "orientation", "deskew", "light", "enhance"])
        #expect(document.text == .init(languages: ["eng"]))
        #expect(document.looksFor == .page)
        let none = try library.load("none")
        #expect(none.steps.isEmpty && none.text == nil && none.looksFor == .nothing)
    }

    @Test("The values that the document profile shows are the defaults")
    func shownDefaults() throws {
        let document = try ProfileLibrary(folder: "/nonexistent").load("document")
        for step in document.steps {
            let declaration = try #require(
                StepCatalog.declarations.first { $0.name == step.name })
            let defaults = declaration.options.map { ($0.name, $0.defaultValue) }
            #expect(step.settings.values == Dictionary(uniqueKeysWithValues: defaults))
        }
    }

    @Test("A built-in profile's text can be copied, edited and used")
    func copying() throws {
        let folder = try TemporaryFolder()
        let library = ProfileLibrary(folder: folder.path)
        let text = try library.text(of: "document")
        let edited = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.contains("maximum:") ? "maximum: 2," : String($0) }
            .joined(separator: "\n")
        try folder.write(edited, to: "letters.json5")
        #expect(try library.text(of: "letters") == edited)
        let letters = try library.load("letters")
        #expect(letters.name == "letters")
        let deskew = letters.steps.first { $0.name == "deskew" }
        #expect(deskew?.settings.values["maximum"] == .number(2))
        let listing = library.list().first { $0.name == "letters" }
        #expect(listing?.origin == .file("\(folder.path)/letters.json5"))
    }

    @Test("A user's profile replaces the built-in one with the same name")
    func replacing() throws {
        let folder = try TemporaryFolder()
        try folder.write("{ title: 'My own' }", to: "document.json5")
        let library = ProfileLibrary(folder: folder.path)
        #expect(try library.load("document").title == "My own")
        #expect(
            library.list().map(\.name) == [
                "book", "card", "document", "entries", "none", "photo", "receipt", "serial-label",
            ])
    }

    @Test("A broken profile is listed with its mistake, and the others are usable")
    func broken() throws {
        let folder = try TemporaryFolder()
        try folder.write("{ steps: ['deskw'] }", to: "bad.json5")
        try folder.write("ignored", to: "notes.txt")
        #expect(mkfifo("\(folder.path)/pipe.json5", 0o600) == 0)
        let library = ProfileLibrary(folder: folder.path)
        let listings = library.list()
        #expect(
            listings.map(\.name) == [
                "bad", "book", "card", "document", "entries", "none", "photo", "pipe", "receipt",
                "serial-label",
            ])
        let bad = try #require(listings.first)
        #expect(bad.problem?.contains("\(folder.path)/bad.json5:1:11: steps[0]") == true)
        #expect(bad.problem?.hasSuffix("Did you mean 'deskew'?") == true)
        #expect(listings[7].problem?.contains("not an ordinary file") == true)
        let error = #expect(throws: ProfileError.self) { try library.load("bad") }
        #expect(error?.code == .invalid)
        #expect(error?.problems.map(\.place) == ["steps[0]"])
    }

    @Test(
        "An unknown name is refused with the nearest ones",
        arguments: [("docment", "Did you mean 'document'?"), ("non", "Did you mean 'none'?")])
    func unknown(_ name: String, _ says: String) {
        let library = ProfileLibrary(folder: "/nonexistent")
        let error = #expect(throws: ProfileError.self) { try library.load(name) }
        #expect(error?.code == .unknownProfile)
        #expect(error?.message.contains(says) == true)
        #expect(error?.message.contains("/nonexistent") == true)
    }

    @Test("A name cannot lead out of the folder")
    func escaping() throws {
        let folder = try TemporaryFolder()
        try folder.write("{}", to: "outside.json5")
        let library = ProfileLibrary(folder: "\(folder.path)/profiles")
        let error = #expect(throws: ProfileError.self) { try library.load("../outside") }
        #expect(error?.code == .unknownProfile)
    }

    @Test(
        "The user's folder follows the environment",
        arguments: [
            (["XDG_CONFIG_HOME": "/etc/me", "HOME": "/home/me"], "/etc/me/copystand/profiles"),
            (["HOME": "/home/me"], "/home/me/.config/copystand/profiles"),
            (
                ["XDG_CONFIG_HOME": "relative", "HOME": "/home/me"],
                "/home/me/.config/copystand/profiles"
            ),
        ])
    func folder(_ environment: [String: String], _ expected: String) {
        #expect(ProfileLibrary(environment: environment).folder == expected)
    }

    @Test("A missing file is reported with its path")
    func missing() {
        let error = #expect(throws: ProfileError.self) {
            try ProfileLibrary.check(path: "/nonexistent/x.json5")
        }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("/nonexistent/x.json5") == true)
    }
}
