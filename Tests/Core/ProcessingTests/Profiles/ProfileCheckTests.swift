import Detection
import FoundationEssentials
import Testing

@testable import Processing

@Suite struct ProfileCheckTests {
    struct Mistake: CustomTestStringConvertible, Sendable {
        var text: String
        var code: ProfileProblem.Code
        var place: String
        var line: Int
        var says: String
        var near: [String] = []
        var testDescription: String { "\(place): \(says)" }
    }

    @Test(
        "A mistake is reported with its place, its value and the nearest names",
        arguments: [
            Mistake(
                text: "{ stepz: [] }", code: .unknownKey, place: "stepz", line: 1,
                says: "no key 'stepz'", near: ["steps"]),
            Mistake(
                text: "{ LooksFor: 'page' }", code: .unknownKey, place: "LooksFor", line: 1,
                says: "no key 'LooksFor'", near: ["looksFor"]),
            Mistake(
                text: "{\n looksFor: 'pgae' }", code: .invalidValue, place: "looksFor", line: 2,
                says: "\"pgae\" was given, but one of page, card, region, nothing", near: ["page"]),
            Mistake(
                text: "{ sinks: 'office' }", code: .invalidValue, place: "sinks", line: 1,
                says: "a list of sinks"),
            Mistake(
                text: "{ sinks: ['archive', 5] }", code: .invalidValue, place: "sinks[1]", line: 1,
                says: "a sink's name in quotes"),
            Mistake(
                text: "{ steps: ['deskw'] }", code: .unknownStep, place: "steps[0]", line: 1,
                says: "no step 'deskw'", near: ["deskew"]),
            Mistake(
                text: "{ looksFor: 'page', steps: ['crop',\n {orientatoin: {}}] }",
                code: .unknownStep, place: "steps[1]", line: 2, says: "no step 'orientatoin'",
                near: ["orientation"]),
            Mistake(
                text: "{ steps: ['light', 'enhance',\n\n { deskew: { maximim: 3 } }] }",
                code: .unknownOption, place: "steps[2].deskew.maximim", line: 3,
                says: "has no option 'maximim'", near: ["maximum"]),
            Mistake(
                text: "{ steps: [{ deskew: { maximum: 90 } }] }", code: .invalidValue,
                place: "steps[0].deskew.maximum", line: 1,
                says: "90 was given, but a number from 0 to 12 °"),
            Mistake(
                text: "{ steps: [{ deskew: { maximum: '5' } }] }", code: .invalidValue,
                place: "steps[0].deskew.maximum", line: 1, says: "\"5\" was given"),
            Mistake(
                text: "{ steps: [{ deskew: { maximum: NaN } }] }", code: .invalidValue,
                place: "steps[0].deskew.maximum", line: 1, says: "a number from 0 to 12"),
            Mistake(
                text: "{ looksFor: 'page', steps: [{ crop: { paper: 'leter' } }] }",
                code: .invalidValue, place: "steps[0].crop.paper", line: 1,
                says: "\"leter\" was given, but one of auto, a4", near: ["letter"]),
            Mistake(
                text: "{ steps: [{ deskew: 5 }] }", code: .invalidValue, place: "steps[0].deskew",
                line: 1, says: "5 was given, but an object of options"),
            Mistake(
                text: "{ steps: [{ deskew: {}, light: {} }] }", code: .invalidValue,
                place: "steps[0]", line: 1, says: "an object was given, but one step"),
            Mistake(
                text: "{ steps: ['light', 'deskew', 'light'] }", code: .invalidValue,
                place: "steps[2]", line: 1, says: "'light' appears twice"),
            Mistake(
                text: "{ steps: { deskew: {} } }", code: .invalidValue, place: "steps", line: 1,
                says: "a list of steps"),
            Mistake(
                text: "{ steps: ['crop'] }", code: .incomplete, place: "steps[0]", line: 1,
                says: "add looksFor: \"page\""),
            Mistake(
                text: "{ text: 'of' }", code: .invalidValue, place: "text", line: 1,
                says: "\"off\" or { languages: [\"eng\"] }", near: ["off"]),
            Mistake(
                text: "{ text: { language: ['eng'] } }", code: .unknownKey, place: "text.language",
                line: 1, says: "no key 'language'", near: ["languages"]),
            Mistake(
                text: "{ text: { languages: 'eng' } }", code: .invalidValue,
                place: "text.languages", line: 1, says: "a list of languages"),
            Mistake(
                text: "{ text: { languages: ['eng', 'de'] } }", code: .invalidValue,
                place: "text.languages[1]", line: 1, says: "a language's code", near: ["deu"]),
            Mistake(
                text: "{ text: { languages: ['../etc/passwd'] } }", code: .invalidValue,
                place: "text.languages[0]", line: 1, says: "a language's code"),
            Mistake(
                text: "{ looksFor: 'region' }", code: .incomplete, place: "looksFor", line: 1,
                says: "say which region"),
            Mistake(
                text: "{ looksFor: 'region', region: { left: 0, top: 0, width: 2, height: 1 } }",
                code: .invalidValue, place: "region.width", line: 1, says: "from 0 to 1"),
            Mistake(
                text: "{ looksFor: 'region', region: { left: .5, top: 0, width: .6, height: 1 } }",
                code: .invalidValue, place: "region", line: 1, says: "reaches beyond"),
            Mistake(
                text: "{ region: { left: 0, top: 0, width: 1, height: 1 } }", code: .incomplete,
                place: "region", line: 1, says: "looksFor: \"region\""),
            Mistake(
                text: "{ name: 'other' }", code: .incomplete, place: "name", line: 1,
                says: "called 'mine' after its file, but has 'other'"),
            Mistake(
                text: "{ name: 'a/b' }", code: .invalidValue, place: "name", line: 1,
                says: "not a name for a profile"),
            Mistake(
                text: "{ title: 5 }", code: .invalidValue, place: "title", line: 1,
                says: "5 was given, but text in quotes"),
            Mistake(text: "[]", code: .invalidValue, place: "", line: 1, says: "an object { … }"),
            Mistake(
                text: "{\n steps: [ }", code: .syntax, place: "", line: 2, says: "expected a value"),
        ])
    func mistakes(_ mistake: Mistake) throws {
        let problems = ProfileLibrary.check(Data(mistake.text.utf8), file: "/home/me/mine.json5")
        try #require(problems.count == 1, "\(problems.map(\.message))")
        let problem = problems[0]
        #expect(problem.code == mistake.code)
        #expect(problem.place == mistake.place)
        #expect(problem.line == mistake.line)
        #expect(problem.reason.contains(mistake.says), "\(problem.reason)")
        #expect(problem.suggestions == mistake.near)
        #expect(problem.message.hasPrefix("/home/me/mine.json5:\(mistake.line):"))
        if let near = mistake.near.first {
            #expect(problem.message.hasSuffix("Did you mean '\(near)'?"))
        }
    }

    @Test("Every mistake is reported, not only the first")
    func all() {
        let text =
            "{ titel: 'x', steps: ['lihgt', { enhance: { contrast: 9, sharp: 1 } }], text: 1 }"
        let places = ProfileLibrary.check(Data(text.utf8)).map(\.place)
        #expect(
            places == [
                "titel", "steps[0]", "steps[1].enhance.contrast", "steps[1].enhance.sharp", "text",
            ])
    }

    @Test("Comments, trailing commas and bare keys are read")
    func form() throws {
        let text = """
            { // mine
              title: 'Mine', looksFor: "card",
              steps: ["crop", { deskew: { maximum: 3, } }, /* no light */ { enhance: {} },],
              text: { languages: ["deu", "eng",], },
            }
            """
        var reader = ProfileReader(catalog: StepCatalog.declarations)
        let profile = reader.read(text, name: "mine")
        #expect(reader.problems.isEmpty)
        // A card may be small in the picture.
        var live = AutoCaptureSettings()
        live.size = 0.03
        #expect(
            profile
                == Profile(
                    name: "mine", title: "Mine", looksFor: .card,
                    steps: [
                        .init("crop"),
                        .init("deskew", settings: StepSettings(["maximum": .number(3)])),
                        .init("enhance"),
                    ], text: .init(languages: ["deu", "eng"]), live: live))
    }

    @Test("Bytes that are not text, and far too many bytes, are refused")
    func noText() {
        #expect(ProfileLibrary.check(Data([0x7B, 0xFF, 0x7D])).first?.code == .syntax)
        let large = Data(repeating: 0x20, count: ProfileLibrary.sizeLimit + 1)
        #expect(ProfileLibrary.check(large).first?.code == .syntax)
    }

    @Test("Every declaration is complete, and its default is valid")
    func declarations() {
        #expect(!StepCatalog.declarations.isEmpty)
        let names = StepCatalog.declarations.map(\.name)
        #expect(Set(names).count == names.count)
        for step in StepCatalog.declarations {
            #expect(step.help.hasSuffix("."))
            for option in step.options {
                #expect(option.help.hasSuffix("."))
                #expect(option.accepts(option.defaultValue), "\(step.name).\(option.name)")
                #expect(option.value(from: option.defaultValue.text) == option.defaultValue)
            }
        }
    }
}
