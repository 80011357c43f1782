import FoundationEssentials
import Testing

@testable import WebServer

/// Tests the list of the web page's views, `views.js`.
@Suite struct PageViewsTests {
    private static func text(of file: String) throws -> String {
        try String(contentsOf: PageFolder.url.appending(path: file), encoding: .utf8)
    }

    @Test("The list contains the view of every module that has one, each once")
    func complete() throws {
        let list = try Self.text(of: "views.js")
        let imports = list.matches(of: /import \{ view as (\w+) \} from "\.\/([^"]+)";/)
        let declaring = try PageFolder.files().filter {
            try $0.hasSuffix(".js") && Self.text(of: $0).contains("\nexport const view = {")
        }
        #expect(imports.map { String($0.2) }.sorted() == declaring.sorted())
        let named = try #require(list.firstMatch(of: /export const views = \[([^\]]+)\]/)).1
        let names = named.matches(of: /\w+/).map { String($0.0) }
        #expect(names.sorted() == imports.map { String($0.1) }.sorted())
    }

    @Test("Every view has a name of its own, and its words, help and icon exist")
    func known() throws {
        let words = try JSONDecoder().decode(
            [String: String].self, from: Data(Self.text(of: "words/words-en.json").utf8))
        let icons = try Self.text(of: "parts/icons.js")
        var names: [String] = []
        for file in try PageFolder.files() where file.hasSuffix(".js") {
            let text = try Self.text(of: file)
            guard let view = text.firstMatch(of: /\nexport const view = \{([^}]+)\}/)?.1 else {
                continue
            }
            func value(_ key: String) throws -> String? {
                try Regex("\\b\(key): \"([^\"]+)\"").firstMatch(in: String(view))?[1].substring
                    .map(String.init)
            }
            names.append(try #require(try value("name"), "\(file)"))
            #expect(words[try #require(try value("words"), "\(file)")] != nil, "\(file)")
            if let help = try value("help") { #expect(words[help] != nil, "\(file)") }
            let tab = try value("tab")
            #expect([nil, "always", "wide", "narrow"].contains(tab), "\(file)")
            if tab != nil {
                let icon = try #require(try value("icon"), "\(file)")
                #expect(icons.contains("\n  \(icon): \""), "\(file)")
            }
        }
        #expect(Set(names).count == names.count)
        #expect(names.contains("scan"))
    }
}
