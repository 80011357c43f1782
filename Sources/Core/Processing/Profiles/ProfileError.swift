import Suggestions

/// A mistake in a profile or on the command line, with its place, a description, and the probable
/// intention.
public struct ProfileProblem: Error, Hashable, Sendable {
    /// The kind of mistake.
    public enum Code: Hashable, Sendable {
        /// The text is not JSON5.
        case syntax
        /// Profiles have no such key.
        case unknownKey
        /// The catalog has no such step.
        case unknownStep
        /// The step has no such option.
        case unknownOption
        /// A value has the wrong type, or is out of range or not among the choices.
        case invalidValue
        /// A required key is missing, or a key contradicts another.
        case incomplete
    }

    /// The kind of mistake.
    public let code: Code
    /// The path of the file; nil for text from elsewhere, such as the command line.
    public var file: String?
    /// The line in the file, from 1; nil for text from elsewhere.
    public let line: Int?
    /// The column in the file, from 1; nil for text from elsewhere.
    public let column: Int?
    /// The place in the profile, such as `steps[2].deskew.maximum`; empty for the profile as a
    /// whole.
    public let place: String
    /// The text at that place, such as `"fast"`; nil if unknown.
    public let value: String?
    /// The error, and the expected value.
    public let reason: String
    /// The known names nearest to the mistyped one, with the nearest first.
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

    /// The mistake on one line: file, line, column, place, what is wrong, and what was probably
    /// meant.
    public var message: String {
        let position = [file, line.map(String.init), column.map(String.init)].compactMap(\.self)
        let parts = [position.joined(separator: ":"), place, reason].filter { !$0.isEmpty }
        return ([parts.joined(separator: ": ")] + [didYouMean(suggestions)].compactMap(\.self))
            .joined(separator: " ")
    }
}

/// The reason why a profile can't be used.
public struct ProfileError: Error, Hashable, Sendable {
    /// The kind of failure.
    public enum Code: Hashable, Sendable {
        /// No profile has that name.
        case unknownProfile
        /// The file cannot be read.
        case unreadable
        /// A copy can't be made under that name.
        case notCopied
        /// The disk is full, or can only be read.
        case diskUnusable
        /// The profile, or the command line's changes to it, have mistakes: see
        /// ``ProfileError/problems``.
        case invalid
    }

    /// The kind of failure.
    public let code: Code
    /// Every mistake, in the order of the file; empty unless `invalid`.
    public let problems: [ProfileProblem]
    /// The failure and the advice, for people; one line for each error.
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

/// A place in a text, counted from 1.
struct TextPosition: Hashable, Sendable {
    var line: Int
    var column: Int
}
