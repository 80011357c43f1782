import CommandLine

/// The program's exit codes.
enum ExitCode: Int32, CaseIterable, Sendable {
    /// The command succeeded.
    case done = 0
    /// A fault of the program or the system.
    case internalError = 1
    /// The command line, or a value or file it names, can't be used.
    case usage = 2
    /// No such device, or several match.
    case noDevice = 3
    /// The device failed, or pages could not be captured; all others are saved.
    case deviceFailed = 4
    /// A delivery failed; a message names the part of the document that is kept.
    case deliveryFailed = 5
    /// A disk is full or can't be written; captured pages are kept.
    case diskUnusable = 6
    /// Stopped by Ctrl-C or a signal.
    case cancelled = 130

    /// The code's meaning, for help and man page.
    var meaning: String {
        switch self {
        case .done: "Success."
        case .internalError: "An internal error; with doctor: some problems need fixing."
        case .usage: "The command line can't be understood, or names something that does not exist."
        case .noDevice: "No such device, or several devices match the name."
        case .deviceFailed:
            "The device failed, or pages could not be captured. All others are saved."
        case .deliveryFailed:
            "The document could not be delivered. 'copystand jobs' lists what is kept."
        case .diskUnusable:
            "The disk of the spool, of temporary files, of the archive or of the settings is full or can't be written. Pages in the spool are kept."
        case .cancelled:
            "Canceled with Ctrl-C or a signal. Finished pages are kept. If a watch has captured pages, Ctrl-C is its normal end, with 0."
        }
    }

    /// All codes, for the end of the help.
    static var note: Note {
        Note(ManualPage.exitCodes, allCases.map { Note.Row("\($0.rawValue)", $0.meaning) })
    }
}
