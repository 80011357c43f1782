import Testing

@testable import Processing

@Suite struct ProfileOverridesTests {
    private let document = Profile(
        name: "document", title: "Document", looksFor: .page,
        steps: [.init("crop"), .init("deskew"), .init("enhance")],
        text: .init(languages: ["eng"]))

    @Test("An option of a step is set and the others stay")
    func setting() throws {
        let profile = try document.overriding([
            "deskew.maximum=5", "deskew.threshold=0.1", "crop.paper=letter",
        ])
        #expect(
            profile.steps.map(\.settings.values) == [
                ["paper": .choice("letter")],
                ["maximum": .number(5), "threshold": .number(0.1)], [:],
            ])
        #expect(document.steps[1].settings.values.isEmpty)
    }

    @Test("The text's reader is set like its languages, and an invalid name is reported")
    func reader() throws {
        let profile = try document.overriding(["text.reader=paddle", "text.languages=deu"])
        #expect(profile.text == .init(languages: ["deu"], reader: "paddle"))
        #expect(try profile.json().contains("\"reader\" : \"paddle\""))
        let bare = try Profile(name: "none", title: "").overriding(["text.reader=auto"])
        #expect(bare.text == .init(languages: ["eng"], reader: "auto"))
        let error = #expect(throws: ProfileError.self) {
            try document.overriding(["text.reader=../x"])
        }
        #expect(error?.problems.first?.reason.contains("the name of a reader") == true)
    }

    @Test("A step is removed by 'off' and by '--without'")
    func takingOut() throws {
        let profile = try document.overriding(["deskew=off"], without: ["crop", "text"])
        #expect(profile.steps.map(\.name) == ["enhance"])
        #expect(profile.text == nil)
    }

    @Test("A step that the profile lacks is added at its place in the catalog")
    func puttingIn() throws {
        let profile = try document.overriding(["light.threshold=0", "orientation=on"])
        #expect(
            profile.steps.map(\.name) == ["crop", "orientation", "deskew", "light", "enhance"])
        #expect(profile.steps[3].settings.values == ["threshold": .number(0)])
        let bare = try Profile(name: "none", title: "").overriding(["crop=on", "text=yes"])
        #expect(bare.looksFor == .page)
        #expect(bare.text?.languages == ["eng"])
    }

    @Test("The languages of the text are set together")
    func languages() throws {
        let profile = try document.overriding(["text.languages=eng+deu"])
        #expect(profile.text?.languages == ["eng", "deu"])
    }

    struct Mistake: CustomTestStringConvertible, Sendable {
        var override: String
        var code: ProfileProblem.Code
        var place: String
        var near: [String] = []
        var testDescription: String { override }
    }

    @Test(
        "A mistake is reported with its place and the nearest names",
        arguments: [
            Mistake(
                override: "deskw.maximum=5", code: .unknownStep, place: "deskw", near: ["deskew"]),
            Mistake(override: "txt=off", code: .unknownStep, place: "txt", near: ["text"]),
            Mistake(
                override: "deskew.maxmum=5", code: .unknownOption, place: "deskew.maxmum",
                near: ["maximum"]),
            Mistake(override: "deskew.maximum=fast", code: .invalidValue, place: "deskew.maximum"),
            Mistake(override: "deskew.maximum=-1", code: .invalidValue, place: "deskew.maximum"),
            Mistake(override: "deskew.maximum=", code: .invalidValue, place: "deskew.maximum"),
            Mistake(
                override: "crop.paper=a44", code: .invalidValue, place: "crop.paper",
                near: ["a4"]),
            Mistake(override: "deskew", code: .invalidValue, place: "deskew"),
            Mistake(
                override: "deskew=of", code: .invalidValue, place: "deskew=of", near: ["off", "on"]),
            Mistake(override: "a.b.c=1", code: .invalidValue, place: "a.b.c=1"),
            Mistake(override: "=5", code: .unknownStep, place: ""),
            Mistake(
                override: "text.languages=eng+de", code: .invalidValue, place: "text.languages",
                near: ["deu"]),
            Mistake(override: "text.languages=", code: .invalidValue, place: "text.languages"),
        ])
    func mistakes(_ mistake: Mistake) throws {
        let error = #expect(throws: ProfileError.self) {
            try document.overriding([mistake.override])
        }
        let problem = try #require(error?.problems.first)
        #expect(error?.problems.count == 1)
        #expect(problem.code == mistake.code)
        #expect(problem.place == mistake.place)
        #expect(problem.suggestions == mistake.near)
    }

    @Test("Removing a step that does not exist is a mistake too, and all mistakes are reported")
    func allMistakes() {
        let error = #expect(throws: ProfileError.self) {
            try document.overriding(["lihgt=on", "deskew.maximum=99"], without: ["enhnce"])
        }
        #expect(error?.problems.map(\.place) == ["lihgt", "deskew.maximum", "enhnce"])
    }
}
