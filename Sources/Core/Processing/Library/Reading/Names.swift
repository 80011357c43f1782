import Suggestions

/// The rule for the names of profiles.
enum ProfileName {
    static let rule =
        "a name has letters, digits, '-' and '_', begins with a letter or digit, and is at most 64 long"

    static func isValid(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, name.unicodeScalars.count <= 64 else {
            return false
        }
        return first.properties.isAlphanumeric
            && name.unicodeScalars.allSatisfy {
                $0.properties.isAlphanumeric || $0 == "-" || $0 == "_"
            }
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isAlphanumeric: Bool { isAlphabetic || numericType == .decimal }
}

/// The codes of languages, as in the names of Tesseract's data files.
enum LanguageCode {
    static let rule = "a language's code such as \"eng\", \"deu\" or \"chi_sim\""

    /// True for a possible language code; only the recognizer knows whether the data is installed.
    static func isValid(_ code: String) -> Bool {
        let scalars = code.unicodeScalars
        return (3...40).contains(scalars.count)
            && scalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || $0.properties.numericType == .decimal
                        || $0 == "_" || $0 == "/" || $0 == "-")
            } && scalars.first!.properties.isAlphabetic && !code.contains("//")
    }

    /// The codes for a two-letter code or an English name that people write instead.
    static func near(_ code: String) -> [String] {
        let lowered = code.lowercased()
        return common.filter { $0.tag == lowered }.map(\.code)
    }

    private static let common: [(tag: String, code: String)] = [
        ("en", "eng"), ("de", "deu"), ("fr", "fra"), ("es", "spa"), ("it", "ita"), ("pt", "por"),
        ("nl", "nld"), ("sv", "swe"), ("da", "dan"), ("fi", "fin"), ("pl", "pol"), ("cs", "ces"),
        ("hu", "hun"), ("ro", "ron"), ("tr", "tur"), ("el", "ell"), ("ru", "rus"), ("uk", "ukr"),
        ("ja", "jpn"), ("ko", "kor"), ("ar", "ara"), ("he", "heb"), ("hi", "hin"),
    ]
}

/// The rule for the names of readers; only the recognizer knows whether a reader exists.
enum ReaderName {
    static let rule = "the name of a reader such as \"auto\" or \"tesseract\""
    static let pattern = "^[a-z0-9-]{1,32}$"

    static func isValid(_ name: String) -> Bool {
        (1...32).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "-")
            }
    }
}

/// The messages about unknown steps and options, the same for a profile and the command line.
enum StepNames {
    /// The step with a name, in any spelling; nil when there is none.
    static func declaration(_ name: String, in catalog: [StepDeclaration]) -> StepDeclaration? {
        let meant = ChoiceWords.choice(for: name, among: catalog.map(\.name))
        return catalog.first { $0.name == meant }
    }

    static func unknownStep(
        _ name: String, catalog: [StepDeclaration], at position: TextPosition? = nil, place: String
    ) -> ProfileProblem {
        let names = catalog.map(\.name)
        return ProfileProblem(
            .unknownStep, at: position, place: place, value: name,
            reason: "there is no step '\(name)'; the steps are \(names.joined(separator: ", "))",
            suggestions: nearestNames(to: name, among: names))
    }

    static func unknownOption(
        _ name: String, of step: StepDeclaration, at position: TextPosition? = nil, place: String
    ) -> ProfileProblem {
        let names = step.options.map(\.name)
        let known = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
        return ProfileProblem(
            .unknownOption, at: position, place: "\(place).\(name)", value: name,
            reason: "the step '\(step.name)' has no option '\(name)'; \(known)",
            suggestions: nearestNames(to: name, among: names))
    }

    static func nearestChoices(_ value: StepValue?, of option: StepOption) -> [String] {
        guard case .choice(let given)? = value, case .choice(let choices) = option.kind else {
            return []
        }
        return nearestNames(to: given, among: choices)
    }
}
