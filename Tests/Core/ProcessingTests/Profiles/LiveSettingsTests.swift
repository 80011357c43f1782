import Detection
import FoundationEssentials
import Testing

@testable import Processing

@Suite struct LiveSettingsTests {
    private static func read(_ text: String) -> (Profile, [ProfileProblem]) {
        var reader = ProfileReader(catalog: StepCatalog.declarations)
        let profile = reader.read(text, name: "mine")
        return (profile, reader.problems)
    }

    @Test("Missing settings of a profile have their defaults")
    func defaults() {
        let (profile, problems) = Self.read("{ looksFor: 'page' }")
        #expect(problems.isEmpty)
        #expect(profile.live == AutoCaptureSettings())
        #expect(Self.read("{ looksFor: 'card' }").0.live.size == 0.03)
    }

    @Test("Every threshold is read, in the built-in profile too")
    func all() throws {
        let (profile, problems) = Self.read(
            """
            { looksFor: 'card', live: { found: 0.5, ready: 0.7, hysteresis: 0.05, steady: 1, \
            drift: 0.02, overlap: 0.9,
              sharpness: 0.4, patience: 3, brightness: 40, glare: 0.05, size: 0.01, rate: 6 } }
            """)
        #expect(problems.isEmpty)
        var expected = AutoCaptureSettings()
        (expected.found, expected.ready, expected.hysteresis) = (0.5, 0.7, 0.05)
        (expected.steady, expected.drift, expected.overlap) = (1, 0.02, 0.9)
        (expected.sharpness, expected.patience, expected.brightness) = (0.4, 3, 40)
        (expected.glare, expected.size, expected.rate) = (0.05, 0.01, 6)
        #expect(profile.live == expected)
        let library = ProfileLibrary(folder: "/nowhere")
        #expect(try library.load("document").live == AutoCaptureSettings())
    }

    @Test(
        "Nonsense in a profile is reported with its place",
        arguments: [
            ("{ live: { raedy: 0.8 } }", "live.raedy", "ready"),
            ("{ live: { ready: 2 } }", "live.ready", "0.0 to 1.0"),
            ("{ live: { steady: 'long' } }", "live.steady", "a number from 0.1 to 10.0"),
            ("{ live: 3 }", "live", "{ ready: 0.85, steady: 0.5 }"),
            ("{ live: { found: 0.9 } }", "live", "found must be at most ready"),
        ])
    func mistakes(text: String, place: String, words: String) throws {
        let problem = try #require(Self.read(text).1.first)
        #expect(problem.place == place)
        #expect((problem.reason + problem.suggestions.joined()).contains(words))
    }
}
