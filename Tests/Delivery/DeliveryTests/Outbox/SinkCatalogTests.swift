import FoundationEssentials
import Testing

@testable import Delivery

/// Tests of the declarations of the kinds of named sinks.
@Suite struct SinkCatalogTests {
    private static let kinds = SinkDefinition.Kind.all

    @Test("The list contains every kind's file, each once")
    func complete() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let folder = root.path + "/Sources/Delivery/Delivery/Kinds"
        var declared: [String] = []
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder)
        where file.hasSuffix(".swift") {
            let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
            declared += text.matches(of: /public static let \w+ = Self\(\s*"([a-z0-9-]+)"/).map {
                String($0.1)
            }
        }
        #expect(declared.sorted() == Self.kinds.map(\.name).sorted())
        #expect(Set(declared).count == declared.count)
    }

    @Test(
        "A kind's example passes its checks, and fails them without a required setting",
        arguments: kinds)
    func examples(kind: SinkDefinition.Kind) throws {
        let example = try Self.example(of: kind)
        try example.check()
        for setting in kind.settings where setting.isNeeded {
            var lacking = example
            switch setting.place {
            case .url: lacking.url = nil
            case .token: lacking.token = nil
            case .user: lacking.user = nil
            case .password: lacking.password = nil
            case .command: lacking.command = nil
            case .template: lacking.template = nil
            case .parameter(let name): lacking.parameters?[name] = nil
            case .headers, .form, .environment, .timeLimit: Issue.record("never needed")
            }
            let message = failure { try lacking.check() }?.message ?? ""
            #expect(message.contains(setting.option), "\(kind.name): \(message)")
        }
    }

    @Test("A setting that a kind does not have is refused", arguments: kinds)
    func useless(kind: SinkDefinition.Kind) throws {
        var sink = try Self.example(of: kind)
        sink.parameters = (sink.parameters ?? [:]).merging(["nonsense": "1"]) { $1 }
        #expect(failure { try sink.check() }?.message.contains("nonsense") == true)
        sink = try Self.example(of: kind)
        if kind.reach == .program {
            sink.url = "https://host/"
        } else {
            sink.command = ["/bin/true"]
        }
        #expect(failure { try sink.check() }?.message.contains("has no use for") == true)
    }

    @Test("A kind is read by its name, and the error for an unknown one names the nearest")
    func coding() throws {
        let bytes = try JSONEncoder().encode(Self.kinds)
        #expect(try JSONDecoder().decode([SinkDefinition.Kind].self, from: bytes) == Self.kinds)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([SinkDefinition.Kind].self, from: Data(#"["webdva"]"#.utf8))
        }
    }

    /// The definition that the arguments of a kind's example make.
    static func example(of kind: SinkDefinition.Kind) throws -> SinkDefinition {
        var sink = SinkDefinition(kind: kind)
        let words = kind.example.arguments
        for (option, value) in zip(words, words.dropFirst()) where option.hasPrefix("--") {
            switch option {
            case "--url": sink.url = value
            case "--token-file": sink.token = "secret"
            case "--user": sink.user = value
            case "--password-file": sink.password = "secret"
            case "--form": sink.form = SinkDefinition.Form(rawValue: value)
            case "--command": sink.command = (sink.command ?? []) + [value]
            case "--template": sink.template = value
            case "--parameter":
                let parts = value.split(separator: "=", maxSplits: 1).map(String.init)
                sink.parameters = (sink.parameters ?? [:]).merging([parts[0]: parts[1]]) { $1 }
            default: Issue.record("An example has the option \(option)")
            }
        }
        return sink
    }
}
