import Suggestions

/// One mistake in a profile or in an override: where it is, what is wrong, and what was probably
/// meant.
public struct ProfileProblem: Error, Hashable, Sendable {
    /// What sort of mistake it is.
    public enum Code: Hashable, Sendable {
        /// The text is not JSON5.
        case syntax
        /// A key that profiles do not have.
        case unknownKey
        /// A step that the catalog does not have.
        case unknownStep
        /// An option that the step does not have.
        case unknownOption
        /// A value of the wrong sort, out of range or not among the choices.
        case invalidValue
        /// A required key is missing, or a key contradicts another.
        case incomplete
    }

    /// What sort of mistake it is.
    public let code: Code
    /// The file, or nil for text that came from elsewhere, such as the command line.
    public var file: String?
    /// The line and column in the file, from 1; nil for text that came from elsewhere.
    public let line: Int?
    /// See ``line``.
    public let column: Int?
    /// The place in the profile, such as `steps[2].deskew.maximum`; empty for the profile as a
    /// whole.
    public let place: String
    /// What was written there, as in `"fast"`.
    public let value: String?
    /// What is wrong, and what is expected there.
    public let reason: String
    /// The known names nearest to what was written, nearest first.
    public let suggestions: [String]

    init(
        _ code: Code, at position: TextPosition? = nil, place: String, value: String? = nil,
        reason: String, suggestions: [String] = []
    ) {
        self.code = code
        line = position?.line
        column = position?.column
        self.place = place
        self.value = value
        self.reason = reason
        self.suggestions = suggestions
    }

    /// The whole mistake on one line: file, line, column, place, what is wrong, what was probably
    /// meant.
    public var message: String {
        let position = [file, line.map(String.init), column.map(String.init)].compactMap(\.self)
        let parts = [position.joined(separator: ":"), place, reason].filter { !$0.isEmpty }
        return ([parts.joined(separator: ": ")] + [didYouMean(suggestions)].compactMap(\.self))
            .joined(separator: " ")
    }
}

/// Why a profile cannot be used.
public struct ProfileError: Error, Hashable, Sendable {
    /// What sort of failure it is.
    public enum Code: Hashable, Sendable {
        /// No profile has that name.
        case unknownProfile
        /// The file cannot be read.
        case unreadable
        /// No copy can be made under that name.
        case notCopied
        /// The profile, or what the command line changes in it, has mistakes: see
        /// ``ProfileError/problems``.
        case invalid
    }

    /// What sort of failure it is.
    public let code: Code
    /// Every mistake, in the order of the file; empty unless `invalid`.
    public let problems: [ProfileProblem]
    /// What failed and what to do next, for people; one line per mistake.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
        problems = []
    }

    init(_ problems: [ProfileProblem]) {
        code = .invalid
        self.problems = problems
        message = problems.map(\.message).joined(separator: "\n")
    }
}
