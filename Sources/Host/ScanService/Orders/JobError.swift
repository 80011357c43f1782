import GuardedFiles
import UserFiles

/// The reason why a job could not be begun, resumed or discarded.
public struct JobError: Error, Sendable {
    /// The kind of failure.
    public enum Code: Sendable {
        /// No job has that name.
        case noSuchJob
        /// Another process works on the job.
        case running
        /// The spool's folder can't be used.
        case spoolUnusable
        /// The order in the job's folder is missing or damaged.
        case orderDamaged
        /// No job or page is left to continue with.
        case nothingToContinue
        /// The deletion would lose pages that were never delivered.
        case undelivered
        /// There is no person who could turn the stack.
        case nobodyToAsk
        /// The rules for splitting the stack are invalid.
        case splitRuleWrong
        /// The pages were to be left to workers, who can't process such an order.
        case notForWorkers
        /// Standard input, or a pipe, can't be read, is empty, or is named twice.
        case inputUnusable
    }

    /// The kind of failure.
    public let code: Code
    /// The failure and the advice, for people.
    public let message: String

    /// An error with a message for people.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static func spool(_ folder: String, _ reason: String) -> JobError {
        JobError(
            .spoolUnusable,
            "The spool folder \(folder) can't be written: \(sentence(reason)) Free space there or make it "
                + "writable, or name another folder in COPYSTAND_SPOOL.")
    }

    /// The error for a file or folder of the spool that can't be used.
    static func spool(_ folder: String, _ error: GuardedFileError) -> JobError {
        switch error.code {
        case .wrongKind, .notOwn, .tooLarge: JobError(.spoolUnusable, error.message)
        case .missing, .system: spool(folder, error.number)
        }
    }

    /// The error for a failure of Foundation.
    static func spool(_ folder: String, _ error: any Error) -> JobError {
        spool(folder, DiskRefusal(error)?.cause ?? "\(error)")
    }

    /// The error for a failed system call in the spool.
    static func spool(_ folder: String, _ number: Int32) -> JobError {
        spool(folder, systemReason(number, at: folder))
    }

    /// The text with one period at its end.
    private static func sentence(_ text: String) -> String {
        text.utf8.last == UInt8(ascii: ".") ? text : text + "."
    }
}
