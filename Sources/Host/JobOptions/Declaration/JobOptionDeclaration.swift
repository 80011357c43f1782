/// What there is to know about an option of a job.
///
/// The command line, the HTTP API, the web page, the record of a job and the documents all read it
/// here, so an option is declared once: see ``JobOption``.
public struct JobOptionDeclaration: Sendable {
    /// What an option does.
    public enum Effect: Hashable, Sendable {
        /// The job keeps the value and reads it.
        case own
        /// It changes an option of a profile's step, such as `text.reader`.
        case step(String)
        /// It sets an option of the device; a flag sets it to `true`.
        case device(String)
    }

    /// Who may set an option through the HTTP API.
    public enum Reach: Hashable, Sendable {
        /// Everyone who may scan.
        case everyone
        /// Administrators.
        case administrators
        /// Nobody: it is set on the host's own machine.
        case thisMachine
    }

    /// A rule for texts beyond their kind.
    public struct Rule: Sendable {
        /// The code of the API's problem.
        public var problem: String
        /// The accepted texts in words, to follow "takes".
        public var expectation: String
        /// What is wrong with a text, as a clause; nil for a text that is right.
        public var fault: @Sendable (String) -> String?
    }

    /// The name in JSON.
    public let name: String
    /// The name in the record of a job, which older versions wrote as well.
    public let recordName: String
    /// The accepted values.
    public let kind: JobOptionKind
    /// The value of an option that is not given; nil for none.
    public let usual: JobOptionValue?
    /// What the option does.
    public let effect: Effect
    /// Who may set it through the HTTP API.
    public let reach: Reach
    /// True if the web page draws a field for it by this declaration.
    ///
    /// The page has fields of its own for some of the others.
    public let isDrawn: Bool
    /// The rule for each text; nil for none.
    public let rule: Rule?
    /// Its form on the command line; nil if it has none.
    public let argument: JobOptionArgument?

    /// True if a client of the HTTP API can set it by its name.
    public var isInRequests: Bool { effect == .own && reach != .thisMachine }

    /// What is wrong with a value, as a clause such as "must be a whole number from 1 to 9"; nil
    /// if nothing is.
    public func fault(_ value: JobOptionValue) -> String? {
        guard kind.accepts(value) else {
            if case .seconds(let range) = kind {
                return "it must be from \(range.lowerBound) to \(range.upperBound) seconds"
            }
            return "it must be \(kind.expectation)"
        }
        return nil
    }

    /// The first text of a value that breaks the rule, and what is wrong with it; nil if none does.
    public func brokenRule(_ value: JobOptionValue) -> (text: String, clause: String)? {
        guard let rule else { return nil }
        let texts: [String] =
            switch value {
            case .text(let text): [text]
            case .texts(let texts): texts
            case .flag, .whole, .seconds: []
            }
        return texts.lazy.compactMap { text in rule.fault(text).map { (text, $0) } }.first
    }
}

/// The form of an option on the command line.
public struct JobOptionArgument: Sendable {
    /// The name without hyphens, such as `page-timeout`.
    public let name: String
    /// The one-letter name; nil for none.
    public private(set) var short: Character?
    /// The value in help, in capitals, such as `TIME`; empty for a flag.
    public private(set) var value = ""
    /// The commands that have it.
    public let commands: [JobCommand]
    /// Sentences about its effect.
    public let help: String
    /// Other sentences, for commands in which it means something slightly different.
    public private(set) var otherHelp: [JobCommand: String] = [:]
    /// The name of the list of values that a shell offers; nil for none.
    public private(set) var completion: String?
    /// True if it may be given with `--host` although the host does not get it: the client itself
    /// applies it, or it changes nothing there.
    public private(set) var goesWithHost = false
}

/// The commands that have options of a job.
public enum JobCommand: Hashable, Sendable, CaseIterable {
    case scan, `import`, watch, watchFolder, capture, resume, export
    /// `scan --append`: options that may be given with it.
    case append

    /// The words after the program's name.
    public var words: String {
        switch self {
        case .scan: "scan"
        case .import: "import"
        case .watch: "watch"
        case .watchFolder: "watch-folder"
        case .capture: "capture"
        case .resume: "jobs resume"
        case .export: "export"
        case .append: "scan --append"
        }
    }

    /// True if it continues a job, so that an option that is not given stays as it was.
    public var continuesJob: Bool { self == .resume || self == .append }
}

/// The declaration of an option, for the list of its file.
func declaration<Value>(of option: JobOption<Value>) -> JobOptionDeclaration { option.declaration }
