import Suggestions

/// Reads a ``Profile`` from text, and collects every mistake.
struct ProfileReader {
    private(set) var problems: [ProfileProblem] = []
    private let catalog: [StepDeclaration]

    /// A reader that knows the steps of `catalog`.
    init(catalog: [StepDeclaration]) { self.catalog = catalog }

    private static let keys = [
        "name", "title", "description", "looksFor", "region", "steps", "text", "live",
        "sinks", "splitAt", "existingText",
    ]
    static let targets = ["page", "card", "region", "nothing"]
    static let edges = ["left", "top", "width", "height"]

    /// The valid parts of the profile in `text`; the mistakes are in ``problems``.
    ///
    /// - Parameter name: the profile's name, which is its file's name. The text may repeat it, but
    ///   not contradict it.
    mutating func read(_ text: String, name: String?) -> Profile {
        var profile = Profile(name: name ?? "profile", title: "")
        let root: JSON5Value
        do {
            root = try JSON5Parser.parse(text)
        } catch {
            problems.append(
                ProfileProblem(.syntax, at: error.position, place: "", reason: error.message))
            return profile
        }
        guard let members = object(root, place: "", expected: "an object { … }") else {
            return profile
        }
        checkKeys(members, known: Self.keys, place: "", what: "a profile")
        if let given = string(members["name"], place: "name") {
            checkName(given, at: members["name"]!.position, fileName: name)
            profile.name = name ?? given
        }
        profile.title = string(members["title"], place: "title") ?? profile.name
        profile.description = string(members["description"], place: "description") ?? ""
        profile.looksFor = target(members)
        profile.steps = steps(members["steps"])
        for (index, reason) in StepContradictions.found(in: profile.steps) {
            report(
                .incomplete, members["steps"]?.position, "steps[\(index)]",
                value: profile.steps[index].name, reason: reason)
        }
        profile.text = textReading(members["text"])
        profile.existingText = existingText(members["existingText"])
        if profile.text == nil,
            let index = profile.steps.firstIndex(where: { StepCatalog.needsText($0.name) })
        {
            report(
                .incomplete, members["steps"]?.position, "steps[\(index)]",
                value: profile.steps[index].name,
                reason:
                    "the step '\(profile.steps[index].name)' needs the page's text; add text: { languages: [\"eng\"] }"
            )
        }
        profile.live = liveSettings(members["live"], of: profile.looksFor)
        profile.sinks = sinks(members["sinks"])
        profile.splitAt = splitAt(members["splitAt"])
        if profile.looksFor == .nothing, !problems.contains(where: { $0.place == "looksFor" }),
            let crop = profile.steps.firstIndex(where: { $0.name == CropStep.declaration.name })
        {
            report(
                .incomplete, members["steps"]?.position, "steps[\(crop)]",
                reason: "the step 'crop' must know what to look for; add looksFor: \"page\"")
        }
        return profile
    }

    mutating func report(
        _ code: ProfileProblem.Code, _ position: TextPosition?, _ place: String,
        value: String? = nil, reason: String, suggestions: [String] = []
    ) {
        problems.append(
            ProfileProblem(
                code, at: position, place: place, value: value, reason: reason,
                suggestions: suggestions))
    }

    // MARK: Values

    mutating func object(
        _ value: JSON5Value, place: String, expected: String
    ) -> JSON5Members? {
        guard case .object(let members) = value.kind else {
            wrong(value, place, expected: expected)
            return nil
        }
        return JSON5Members(members)
    }

    private mutating func string(_ value: JSON5Value?, place: String) -> String? {
        guard let value else { return nil }
        guard case .string(let string) = value.kind else {
            wrong(value, place, expected: "text in quotes")
            return nil
        }
        return string
    }

    mutating func wrong(
        _ value: JSON5Value, _ place: String, expected: String, suggestions: [String] = []
    ) {
        report(
            .invalidValue, value.position, place, value: value.shown,
            reason: "\(value.shown) was given, but \(expected) is expected here",
            suggestions: suggestions)
    }

    mutating func checkKeys(
        _ members: JSON5Members, known: [String], place: String, what: String
    ) {
        for member in members.all where !known.contains(member.key) {
            report(
                .unknownKey, member.position, place.isEmpty ? member.key : "\(place).\(member.key)",
                value: member.key,
                reason:
                    "\(what) has no key '\(member.key)'; it has \(known.joined(separator: ", "))",
                suggestions: nearestNames(to: member.key, among: known))
        }
    }

    private mutating func checkName(_ given: String, at position: TextPosition, fileName: String?) {
        guard ProfileName.isValid(given) else {
            return report(
                .invalidValue, position, "name", value: "\"\(given.prefix(60))\"",
                reason: "\"\(given.prefix(60))\" is not a name for a profile: \(ProfileName.rule)")
        }
        guard let fileName, fileName != given else { return }
        report(
            .incomplete, position, "name", value: "\"\(given)\"",
            reason: "the profile is called '\(fileName)' after its file, but has '\(given)' here; "
                + "remove this line or rename the file")
    }

    // MARK: Parts

    private mutating func target(_ members: JSON5Members) -> Profile.Target {
        let word = string(members["looksFor"], place: "looksFor")
        let region = members["region"]
        if let region, word != "region" {
            report(
                .incomplete, region.position, "region",
                reason: "a region has an effect only with looksFor: \"region\"")
        }
        switch word {
        case nil, "nothing": return .nothing
        case "page": return .page
        case "card": return .card
        case "region":
            guard let region else {
                report(
                    .incomplete, members["looksFor"]?.position, "looksFor",
                    reason: "say which region, as fractions of the picture, such as "
                        + "region: { left: 0, top: 0, width: 0.5, height: 0.5 }")
                return .nothing
            }
            return self.region(region).map(Profile.Target.region) ?? .nothing
        case let other?:
            wrong(
                members["looksFor"]!, "looksFor",
                expected: "one of " + Self.targets.joined(separator: ", "),
                suggestions: nearestNames(to: other, among: Self.targets))
            return .nothing
        }
    }

    private mutating func region(_ value: JSON5Value) -> Profile.Region? {
        guard
            let members = object(
                value, place: "region", expected: "an object with left, top, width and height")
        else { return nil }
        checkKeys(members, known: Self.edges, place: "region", what: "a region")
        var shares: [Double] = []
        for edge in Self.edges {
            guard let share = members[edge] else {
                report(
                    .incomplete, value.position, "region",
                    reason: "'\(edge)' is missing: a fraction of the picture from 0 to 1")
                continue
            }
            if case .number(let number) = share.kind, (0...1).contains(number) {
                shares.append(number)
            } else {
                wrong(share, "region.\(edge)", expected: "a fraction of the picture from 0 to 1")
            }
        }
        guard shares.count == 4 else { return nil }
        let region = Profile.Region(
            left: shares[0], top: shares[1], width: shares[2], height: shares[3])
        guard region.width > 0, region.height > 0, region.left + region.width <= 1.000001,
            region.top + region.height <= 1.000001
        else {
            report(
                .invalidValue, value.position, "region",
                reason: "the region is empty or reaches beyond the picture: left + width and "
                    + "top + height may be 1 at most")
            return nil
        }
        return region
    }

    private mutating func steps(_ value: JSON5Value?) -> [Profile.Step] {
        guard let value else { return [] }
        guard case .array(let entries) = value.kind else {
            wrong(value, "steps", expected: "a list of steps such as [\"crop\", \"deskew\"]")
            return []
        }
        var steps: [Profile.Step] = []
        for (index, entry) in entries.enumerated() {
            guard let step = step(entry, place: "steps[\(index)]") else { continue }
            if steps.contains(where: { $0.name == step.name }) {
                report(
                    .invalidValue, entry.position, "steps[\(index)]", value: step.name,
                    reason: "the step '\(step.name)' appears twice; a step runs once")
            } else {
                steps.append(step)
            }
        }
        return steps
    }

    private mutating func step(_ entry: JSON5Value, place: String) -> Profile.Step? {
        switch entry.kind {
        case .string(let name):
            return declaration(name, at: entry.position, place: place).map {
                Profile.Step($0.name)
            }
        case .object(let members) where members.count == 1:
            let member = members[0]
            guard
                let declaration = declaration(member.key, at: member.position, place: place)
            else { return nil }
            return Profile.Step(
                declaration.name,
                settings: settings(
                    member.value, of: declaration, place: "\(place).\(declaration.name)"))
        default:
            wrong(
                entry, place,
                expected: "one step, as in \"deskew\" or { deskew: { maximum: 5 } },")
            return nil
        }
    }

    private mutating func declaration(
        _ name: String, at position: TextPosition, place: String
    ) -> StepDeclaration? {
        if let declaration = StepNames.declaration(name, in: catalog) { return declaration }
        let problem = StepNames.unknownStep(name, catalog: catalog, at: position, place: place)
        problems.append(problem)
        return nil
    }

    private mutating func settings(
        _ value: JSON5Value, of declaration: StepDeclaration, place: String
    ) -> StepSettings {
        var settings = StepSettings()
        guard let members = object(value, place: place, expected: "an object of options { … }")
        else {
            return settings
        }
        for member in members.all {
            guard let option = declaration.option(member.key) else {
                problems.append(
                    StepNames.unknownOption(
                        member.key, of: declaration, at: member.position, place: place))
                continue
            }
            let given: StepValue? =
                switch member.value.kind {
                case .number(let number): .number(number)
                case .flag(let flag): .flag(flag)
                case .string(let string): .choice(string)
                default: nil
                }
            if let meant = given.flatMap(option.canonical) {
                settings = settings.setting(option.name, to: meant)
            } else {
                wrong(
                    member.value, "\(place).\(option.name)", expected: option.expectation,
                    suggestions: StepNames.nearestChoices(given, of: option))
            }
        }
        return settings
    }

    /// The names of sinks.
    ///
    /// Which sinks exist depends on the user, and is checked when a document is sent.
    private mutating func sinks(_ value: JSON5Value?) -> [String] {
        guard let value else { return [] }
        guard case .array(let entries) = value.kind else {
            wrong(value, "sinks", expected: "a list of sinks such as [\"archive\", \"office\"]")
            return []
        }
        var names: [String] = []
        for (index, entry) in entries.enumerated() {
            if case .string(let name) = entry.kind, !name.isEmpty {
                if !names.contains(name) { names.append(name) }
            } else {
                wrong(entry, "sinks[\(index)]", expected: "a sink's name in quotes")
            }
        }
        return names
    }

    private mutating func existingText(_ value: JSON5Value?) -> Profile.ExistingText {
        guard let value else { return .keep }
        let words = Profile.ExistingText.allCases.map(\.rawValue)
        guard case .string(let word) = value.kind, let known = Profile.ExistingText(rawValue: word)
        else {
            var near: [String] = []
            if case .string(let word) = value.kind { near = nearestNames(to: word, among: words) }
            wrong(
                value, "existingText", expected: "\"keep\", \"redo\" or \"drop\"", suggestions: near
            )
            return .keep
        }
        return known
    }

    private mutating func textReading(_ value: JSON5Value?) -> Profile.TextReading? {
        guard let value else { return nil }
        if case .string(let word) = value.kind {
            if word != "off" {
                wrong(
                    value, "text", expected: "\"off\" or { languages: [\"eng\"] }",
                    suggestions: nearestNames(to: word, among: ["off"]))
            }
            return nil
        }
        guard
            let members = object(
                value, place: "text", expected: "\"off\" or { languages: [\"eng\"] }")
        else { return nil }
        checkKeys(members, known: ["languages", "reader"], place: "text", what: "text")
        let reader = readerName(members["reader"])
        guard let languages = members["languages"] else {
            return Profile.TextReading(languages: ["eng"], reader: reader)
        }
        guard case .array(let entries) = languages.kind, !entries.isEmpty else {
            wrong(languages, "text.languages", expected: "a list of languages such as [\"eng\"]")
            return nil
        }
        var codes: [String] = []
        for (index, entry) in entries.enumerated() {
            if case .string(let code) = entry.kind, LanguageCode.isValid(code) {
                if !codes.contains(code) { codes.append(code) }
            } else {
                var near: [String] = []
                if case .string(let code) = entry.kind { near = LanguageCode.near(code) }
                wrong(
                    entry, "text.languages[\(index)]", expected: LanguageCode.rule,
                    suggestions: near)
            }
        }
        return codes.isEmpty ? nil : Profile.TextReading(languages: codes, reader: reader)
    }

    private mutating func readerName(_ value: JSON5Value?) -> String? {
        guard let value else { return nil }
        guard case .string(let name) = value.kind, ReaderName.isValid(name) else {
            wrong(value, "text.reader", expected: ReaderName.rule)
            return nil
        }
        return name
    }
}

/// The members of an object, by key.
struct JSON5Members {
    let all: [JSON5Value.Member]
    init(_ members: [JSON5Value.Member]) { all = members }
    subscript(_ key: String) -> JSON5Value? { all.first { $0.key == key }?.value }
}
