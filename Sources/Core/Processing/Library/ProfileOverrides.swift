import Suggestions

extension Profile {
    /// The profile with the command line's changes: `--step NAME[.OPTION]=VALUE` and `--without
    /// NAME`.
    ///
    ///     try profile.overriding(["deskew.maximum=5", "text.languages=eng+deu"], without: ["light"])
    ///
    /// `NAME=off` and `without` remove a step, `NAME=on` adds it with its defaults, and setting an
    /// option of a missing step adds the step. An added step gets its place from ``StepCatalog``.
    /// `text` counts as a step with the options `languages` and `existing`, but `existing` does not
    /// add it. If `crop` is added to a profile that looks for nothing, it looks for a page.
    ///
    /// - Throws: ``ProfileError`` with code `invalid` and every mistake, each with the nearest
    ///   known names.
    public func overriding(_ overrides: [String], without removed: [String] = [])
        throws(ProfileError)
        -> Profile
    {
        var overrider = ProfileOverrider(profile: self, catalog: StepCatalog.declarations)
        for override in overrides { overrider.apply(override) }
        for name in removed { overrider.remove(name) }
        guard overrider.problems.isEmpty else { throw ProfileError(overrider.problems) }
        return overrider.profile
    }
}

private struct ProfileOverrider {
    var profile: Profile
    let catalog: [StepDeclaration]
    var problems: [ProfileProblem] = []

    private static let text = StepDeclaration(
        name: "text", title: "Text", help: "Reads the text.",
        options: [
            StepOption(
                name: "languages", kind: .choice([]), defaultValue: .choice("eng"),
                help: "The languages, as in eng+deu."),
            StepOption(
                name: existing, kind: .choice(Profile.ExistingText.allCases.map(\.rawValue)),
                defaultValue: .choice(Profile.ExistingText.keep.rawValue),
                help: "What to do with text that a page already has."),
            StepOption(
                name: reader, kind: .choice([]), defaultValue: .choice("auto"),
                help: "The reader, as 'copystand readers' lists it."),
        ])
    private static let reader = "reader"
    private static let existing = "existing"

    private var declarations: [StepDeclaration] { catalog + [Self.text] }

    mutating func apply(_ override: String) {
        guard let equals = override.firstIndex(of: "=") else {
            return reject(
                override,
                "NAME.OPTION=VALUE is expected here, such as deskew.maximum=5 or light=off")
        }
        let target = override[..<equals].split(separator: ".", omittingEmptySubsequences: false)
        let value = String(override[override.index(after: equals)...])
        guard target.count <= 2, let declaration = declaration(String(target[0])) else {
            if target.count > 2 {
                reject(override, "only one '.' is allowed, between a step and its option")
            }
            return
        }
        if target.count == 1 {
            switch readFlag(value) {
            case true?: insert(declaration.name)
            case false?: drop(declaration.name)
            case nil:
                reject(
                    override,
                    "\(declaration.name) must be on or off; or name one of its options: "
                        + declaration.options.map { "\(declaration.name).\($0.name)=…" }
                        .joined(separator: ", "), value: value,
                    suggestions: nearestNames(to: value, among: ["on", "off"]))
            }
        } else {
            set(String(target[1]), of: declaration, to: value)
        }
    }

    mutating func remove(_ name: String) {
        guard let declaration = declaration(name) else { return }
        drop(declaration.name)
    }

    private mutating func declaration(_ name: String) -> StepDeclaration? {
        if let declaration = StepNames.declaration(name, in: declarations) { return declaration }
        problems.append(StepNames.unknownStep(name, catalog: declarations, place: name))
        return nil
    }

    private mutating func set(_ name: String, of declaration: StepDeclaration, to value: String) {
        guard let option = declaration.option(name) else {
            problems.append(
                StepNames.unknownOption(name, of: declaration, place: declaration.name))
            return
        }
        let place = "\(declaration.name).\(name)"
        if declaration.name == Self.text.name, name == Self.reader {
            guard ReaderName.isValid(value) else {
                return reject(
                    place,
                    "\"\(value.prefix(60))\" was given, but \(ReaderName.rule) is expected here",
                    value: value, suggestions: [])
            }
            insert(Self.text.name)
            profile.text?.reader = value
            return
        }
        if declaration.name == Self.text.name, name != Self.existing {
            let codes = value.split(separator: "+", omittingEmptySubsequences: false)
                .map(String.init)
            if let wrong = codes.first(where: { !LanguageCode.isValid($0) }) {
                return reject(
                    place, "\"\(wrong)\" was given, but \(LanguageCode.rule) is expected here",
                    value: wrong, suggestions: LanguageCode.near(wrong))
            }
            profile.text = Profile.TextReading(
                languages: codes, reader: profile.text?.reader)
            return
        }
        guard let accepted = option.value(from: value) else {
            return reject(
                place,
                "\"\(value.prefix(60))\" was given, but \(option.expectation) is expected here",
                value: value,
                suggestions: StepNames.nearestChoices(.choice(value), of: option))
        }
        if declaration.name == Self.text.name {
            if let existing = Profile.ExistingText(rawValue: value) {
                profile.existingText = existing
            }
            return
        }
        insert(declaration.name)
        if let index = profile.steps.firstIndex(where: { $0.name == declaration.name }) {
            profile.steps[index].settings = profile.steps[index].settings
                .setting(name, to: accepted)
        }
    }

    /// Adds a step before the first of the profile's steps that comes later in the catalog.
    private mutating func insert(_ name: String) {
        if name == Self.text.name {
            if profile.text == nil { profile.text = Profile.TextReading(languages: ["eng"]) }
            return
        }
        guard !profile.steps.contains(where: { $0.name == name }) else { return }
        let order = catalog.map(\.name)
        let later = order.drop { $0 != name }.dropFirst()
        let index = profile.steps.firstIndex { later.contains($0.name) } ?? profile.steps.endIndex
        profile.steps.insert(Profile.Step(name), at: index)
        if StepCatalog.needsText(name) { insert(Self.text.name) }
        if name == CropStep.declaration.name, profile.looksFor == .nothing {
            profile.looksFor = .page
        }
    }

    private mutating func drop(_ name: String) {
        if name == Self.text.name { profile.text = nil }
        profile.steps.removeAll { $0.name == name }
    }

    private mutating func reject(
        _ place: String, _ reason: String, value: String? = nil, suggestions: [String] = []
    ) {
        problems.append(
            ProfileProblem(
                .invalidValue, place: place, value: value, reason: reason, suggestions: suggestions)
        )
    }
}
