import Delivery
import FoundationEssentials
import JobOptions
import Processing
import Testing

@testable import WebServer

/// Tests the page in languages other than English: its own texts and the host's.
@Suite struct TranslationTests {
    private struct HostWords: Decodable {
        var sayings: [String: String]
        var problems: [String: String]
        var keyed: [String: String]
        var sentences: [String: String]
    }

    /// The languages of the page except English.
    private static func languages() throws -> [String] {
        let code = try String(
            contentsOf: PageFolder.url.appending(path: "words/words.js"), encoding: .utf8)
        let list = try #require(code.firstMatch(of: /languages = \[([^\]]+)\]/)).1
        let names = list.matches(of: /"(\w+)"/).map { String($0.1) }
        try #require(names.first == "en" && names.count > 3)
        return Array(names.dropFirst())
    }

    private static func read<Value: Decodable>(_ name: String) throws -> Value {
        try JSONDecoder().decode(
            Value.self,
            from: Data(contentsOf: PageFolder.url.appending(path: "words/\(name).json")))
    }

    /// The page's texts in a language.
    private static func page(_ language: String) throws -> [String: String] {
        try read("words-" + language)
    }

    /// The host's texts in a language.
    private static func host(_ language: String) throws -> HostWords {
        try read("host-" + language)
    }

    /// The names between braces in a message.
    private static func places(_ text: String) -> Set<String> {
        Set(text.matches(of: /\{(\w+)\}/).map { String($0.1) })
    }

    @Test(
        "No text of the page is missing in another language, and each has the same values",
        arguments: try languages())
    func pageWords(_ language: String) throws {
        let english = try Self.page("en")
        let other = try Self.page(language)
        #expect(english.count > 200)
        #expect(Set(english.keys).symmetricDifference(other.keys) == [])
        for (name, text) in english {
            #expect(Self.places(text) == Self.places(other[name] ?? ""), "\(language): \(name)")
        }
        // Names and a few words are the same in other languages; most words are not.
        #expect(english.count(where: { other[$0.key] == $0.value }) < english.count / 5)
    }

    @Test("Every text that the page uses is in its message files, and no unused one")
    func usedWords() throws {
        let words = try Self.page("en")
        let files = try PageFolder.files().filter { $0.hasSuffix(".js") || $0.hasSuffix(".html") }
        #expect(files.count > 50)
        var text = ""
        for file in files {
            text += try String(contentsOf: PageFolder.url.appending(path: file), encoding: .utf8)
        }
        for match in text.matches(of: /\bsay\("([^"]+)"/) {
            let name = String(match.1)
            // Some names are combined, such as "state-" + state.
            let isKnown = words[name] != nil || words.keys.contains { $0.hasPrefix(name) }
            #expect(isKnown, "\(name)")
        }
        for name in words.keys where !name.contains(".") && !name.contains("-") {
            #expect(text.contains("\"\(name)\""), "\(name) is never said")
        }
    }

    @Test(
        "Every step, its options and every built-in profile are explained",
        arguments: try languages())
    func steps(_ language: String) throws {
        let words = try Self.host(language).keyed
        let steps = StepCatalog.declarations
        let shipped = ProfileLibrary(folder: "/nowhere").list().filter { $0.origin == .builtIn }
        #expect(steps.count > 10 && shipped.count > 5)
        let keys =
            steps.flatMap { step in
                ["step.\(step.name).title", "step.\(step.name).help"]
                    + step.options.map { "step.\(step.name).\($0.name).help" }
            }
            + shipped.flatMap { ["profile.\($0.name).title", "profile.\($0.name).description"] }
        #expect(Set(words.keys).symmetricDifference(keys) == [])
        for (key, text) in words { #expect(!text.isEmpty, "\(key)") }
    }

    @Test("Every option of a job that the page draws has words, and so has each of its choices")
    func jobOptions() throws {
        let drawn = JobOptions.inRequests.filter(\.isDrawn)
        let needed = Set(
            drawn.flatMap { option in
                ["job.\(option.name)"]
                    + (option.kind.choices ?? []).map { "job.\(option.name).\($0)" }
            })
        for language in try ["en"] + Self.languages() {
            let words = try Self.page(language).keys.filter {
                $0.hasPrefix("job.") && !$0.hasSuffix(".help")
            }
            #expect(Set(words) == needed, "\(language)")
        }
    }

    @Test("Every option of a step has a readable name")
    func optionNames() throws {
        let english = try Self.page("en")
        let keys = StepCatalog.declarations.flatMap { step in
            step.options.map { ("option-\(step.name)-\($0.name)", "option-\($0.name)") }
        }
        #expect(keys.count > 20)
        for (own, shared) in keys {
            #expect((english[own] ?? english[shared]) != nil, "\(own) or \(shared)")
        }
    }

    @Test(
        "Every kind of sink, and all of its settings over the network have a label"
    )
    func sinkKinds() throws {
        let kinds = SinkDefinition.Kind.all
        #expect(kinds.count > 5)
        for language in try ["en"] + Self.languages() {
            let words = try Self.page(language)
            for kind in kinds {
                #expect(words["sink.\(kind.name).name"] != nil, "\(kind.name)")
                guard kind.isRemote else { continue }
                for setting in SinkOrderSchema.settings(kind) {
                    let own = words["sink.\(kind.name).\(setting.name)"]
                    #expect(
                        (own ?? words["sink.\(setting.name)"]) != nil,
                        "\(kind.name): \(setting.name)")
                }
            }
            let known = Set(kinds.map(\.name))
            for key in words.keys where key.hasPrefix("sink.") {
                let parts = key.split(separator: ".")
                #expect(parts.count == 2 || known.contains(String(parts[1])), "\(key)")
            }
        }
    }

    @Test(
        "Every sentence of the host about a job has a translation with the same values",
        arguments: try languages())
    func sayings(_ language: String) throws {
        let words = try Self.host(language).sayings
        #expect(Set(words.keys) == Set(JobMessage.Code.allCases.map(\.rawValue)))
        for code in JobMessage.Code.allCases {
            let names = Self.places(words[code.rawValue] ?? "")
            let values = Dictionary(uniqueKeysWithValues: names.map { ($0, "<\($0)>") })
            let text = JobMessage(code, values).text
            for name in names { #expect(text.contains("<\(name)>"), "\(code): \(name)") }
            #expect(text.count(where: { $0 == "<" }) == names.count, "\(code): \(text)")
        }
    }

    @Test("Each text of a backend is translated into every language or into none")
    func sentences() throws {
        let german = try Self.host("de").sentences
        #expect(german.count > 50)
        for language in try Self.languages() {
            let words = try Self.host(language).sentences
            #expect(Set(words.keys).symmetricDifference(german.keys) == [])
        }
    }

    @Test("Every problem for which the host has a code is explained", arguments: try languages())
    func problems(_ language: String) throws {
        let root =
            URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .path + "/Sources/"
        func codes(in file: String, _ pattern: Regex<(Substring, Substring)>) throws -> [String] {
            try String(contentsOf: URL(filePath: root + file), encoding: .utf8)
                .matches(of: pattern).map { String($0.1) }
        }
        var known: Set<String> = []
        let web = try FileManager.default.subpathsOfDirectory(atPath: root + "Host/WebServer")
        for file in web where file.hasSuffix(".swift") {
            known.formUnion(try codes(in: "Host/WebServer/" + file, /\b[45]\d\d, "([a-z-]+)"/))
            let things = try codes(in: "Host/WebServer/" + file, /noSuchThing\(\s*"([a-z ]+)"/)
            known.formUnion(things.map { "no-such-" + $0.replacing(" ", with: "-") })
        }
        known.formUnion(JobOptions.all.compactMap(\.rule?.problem))
        for file in ["CaptureKit/Values/CaptureError", "CaptureHost/Errors/HostError"] {
            let device = try codes(in: "Capture/\(file).swift", /Code\(rawValue: "(\w+)"\)/)
            known.formUnion(device.map(Problem.hyphenated))
        }
        #expect(known.count > 70)
        #expect(Set(try Self.host(language).problems.keys).symmetricDifference(known) == [])
    }
}
