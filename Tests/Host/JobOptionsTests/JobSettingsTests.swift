import FoundationEssentials
import JobOptions
import Testing

/// The values of a job's options, and their JSON.
@Suite struct JobSettingsTests {
    /// A job's order, as far as its options go.
    private struct Record: Codable {
        var options: JobSettings

        init(_ options: JobSettings) { self.options = options }
        init(from decoder: any Decoder) throws { options = try JobSettings(record: decoder) }
        func encode(to encoder: any Encoder) throws { try options.encode(record: encoder) }
    }

    /// A request, as far as its options go.
    private struct Request: Codable {
        var options: JobSettings

        init(_ options: JobSettings) { self.options = options }
        init(from decoder: any Decoder) throws { options = try JobSettings(request: decoder) }
        func encode(to encoder: any Encoder) throws { try options.encode(request: encoder) }
    }

    private static func record(_ text: String) throws -> JobSettings {
        try JSONDecoder().decode(Record.self, from: Data(text.utf8)).options
    }

    /// A JSON value of any kind.
    private struct Member: Decodable { init(from decoder: any Decoder) {} }

    private static func names(_ value: some Encodable) throws -> Set<String> {
        let data = try JSONEncoder().encode(value)
        return Set(try JSONDecoder().decode([String: Member].self, from: data).keys)
    }

    @Test("An option that is not given has its usual value")
    func usual() {
        var settings = JobSettings()
        #expect(settings[.pageTimeout] == 30 && settings[.splitPages] == .auto)
        #expect(settings[.pages] == nil && settings[.splitAt] == [])
        settings[.pages] = 3
        settings[.splitPages] = .keep
        settings[.splitAt].append("separator")
        #expect(settings[.pages] == 3 && settings[.splitPages] == .keep)
        #expect(settings[.splitAt] == ["separator"] && settings.isGiven(.splitAt))
        settings[.pages] = nil
        #expect(!settings.isGiven(.pages))
    }

    @Test("A record has every option, and comes back as it was")
    func recorded() throws {
        var settings = JobSettings()
        settings[.pages] = 7
        settings[.compression] = .lossless
        settings[.languages] = ["deu", "eng"]
        settings[.processing] = .bulk
        settings[.title] = ""
        settings[.pageTimeout] = 1.5
        let data = try JSONEncoder().encode(Record(settings))
        let again = try JSONDecoder().decode(Record.self, from: data).options
        for option in JobOptions.kept { #expect(again[option] == settings[option] ?? option.usual) }
        #expect(
            try Self.names(Record(settings)) == [
                "waitsForPaper", "collates", "asksForMore", "limit", "pageTimeout", "processing",
                "title", "tags", "languages", "compression", "keepsBlankPages", "allowsDuplicates",
                "splitAt", "splitPages",
            ])
    }

    @Test("A number that no version accepts counts as not given, and a wrong type is an error")
    func wrongRecords() throws {
        #expect(try Self.record(#"{"pageTimeout": 0.5}"#)[.pageTimeout] == 30)
        #expect(try Self.record("{}") == JobSettings())
        #expect(throws: DecodingError.self) { try Self.record(#"{"collates": "yes"}"#) }
        #expect(throws: DecodingError.self) { try Self.record(#"{"splitPages": "some"}"#) }
    }

    @Test("A request has what was given, and nothing that only the own machine may set")
    func requested() throws {
        var settings = JobSettings()
        #expect(try Self.names(Request(settings)) == [])
        settings[.pages] = 2
        settings[.collates] = true
        #expect(try Self.names(Request(settings)) == ["pages"])
        let text = #"{"pages": 4, "collates": true, "splitPages": null}"#
        let read = try JSONDecoder().decode(Request.self, from: Data(text.utf8)).options
        #expect(read[.pages] == 4 && !read[.collates] && !read.isGiven(.splitPages))
    }

    @Test("What was given replaces what was there, and nothing else")
    func merged() {
        var (first, second) = (JobSettings(), JobSettings())
        first[.title] = "Old"
        first[.pages] = 3
        second[.title] = "New"
        first.merge(second)
        #expect(first[.title] == "New" && first[.pages] == 3)
    }

    @Test(
        "A time is written in its largest whole unit",
        arguments: [
            (30, "30s"), (90, "90s"), (60, "1m"), (86_400, "24h"), (1.5, "1.5s"),
        ] as [(Double, String)])
    func times(_ seconds: Double, _ text: String) {
        #expect(TimeText.text(seconds) == text)
        #expect(TimeText.seconds(text) == seconds)
    }
}
