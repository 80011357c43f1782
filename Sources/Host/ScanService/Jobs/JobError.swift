/// Why a job could not be begun, resumed or discarded.
public struct JobError: Error, Sendable {
    /// What sort of failure it is.
    public enum Code: Sendable {
        /// No job of that name.
        case noSuchJob
        /// Another process works on it.
        case running
        /// The spool's folder can't be used.
        case spoolUnusable
        /// The order in the job's folder is missing or damaged.
        case orderDamaged
        /// There is nothing to continue with.
        case nothingToContinue
        /// Pages would be deleted that were never delivered.
        case undelivered
        /// No one can be asked to turn the stack.
        case nobodyToAsk
        /// The rules for splitting the stack make no sense.
        case splitRuleWrong
        /// Standard input, or a pipe, can't be read, is empty, or is named twice.
        case inputUnusable
    }

    /// What sort of failure it is.
    public let code: Code
    /// What failed and what to do next, for people.
    public let message: String

    /// An error for people to read.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static func spool(_ folder: String, _ error: Any) -> JobError {
        JobError(
            .spoolUnusable,
            "The spool folder \(folder) can't be written: \(sentence("\(error)")) Free space there or make it "
                + "writable, or name another folder in COPYSTAND_SPOOL.")
    }

    /// The text with one full stop at its end.
    private static func sentence(_ text: String) -> String {
        text.utf8.last == UInt8(ascii: ".") ? text : text + "."
    }
}
