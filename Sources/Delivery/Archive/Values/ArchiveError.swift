import CSQLite
import Documents
import Glibc
import GuardedFiles
import PostgreSQL
import UserFiles

/// The reason why the archive could not carry out a request.
public struct ArchiveError: Error, Hashable, Sendable {
    /// The kind of failure.
    public enum Code: Hashable, Sendable {
        /// There is no archive in the folder.
        case missing
        /// The folder can't be made or used.
        case folderUnusable
        /// The archive can only be read.
        case readOnly
        /// No space is left.
        case noSpace
        /// Another process used the archive for longer than this one waited.
        case busy
        /// The server with the archive does not answer.
        case unreachable
        /// The server does not let this user in.
        case notAdmitted
        /// The database or an image is damaged.
        case damaged
        /// The file is a database of another program.
        case notAnArchive
        /// A newer version of the program wrote it.
        case newerVersion
        /// No such document, page or image.
        case noSuchDocument
        /// The document was changed after the version that was to be changed.
        case changedMeanwhile
        /// The change or the query can't be understood or done.
        case refused
        /// Reading or writing failed.
        case inputOutput
    }

    /// The kind of failure.
    public let code: Code
    /// The failure, with the value at fault, and the advice.
    public let message: String

    /// An error for people to read.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The error for SQLite's answer about the database at `path`.
    init(_ error: DatabaseError, path: String) {
        let line = error.operation.split(separator: "\n").first ?? ""
        let said = "\(error.message); SQLite error \(error.code) at: \(line)"
        if let refusal = error.refusal(at: path) {
            self.init(refusal, "The archive '\(path)' can't be written")
            return
        }
        switch error.primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED:
            self.init(
                .busy,
                "Another program is writing to the archive '\(path)' and did not finish in time. Try again when it has."
            )
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            self.init(
                .readOnly,
                "The archive '\(path)' can't be written: its folder or file is read-only for you. "
                    + "Change its permissions, or name another archive with --archive.")
        // The statement does not fit the tables, which are not those of the version that the file
        // names.
        case SQLITE_CORRUPT, SQLITE_MISMATCH, SQLITE_ERROR:
            self.init(
                .damaged,
                "The archive '\(path)' is damaged (\(said)). Nothing was changed. "
                    + "'copystand archive check' shows what is wrong; 'copystand archive recover FOLDER --archive NEW' saves what is "
                    + "still readable in a new archive.")
        case SQLITE_NOTADB:
            self.init(
                .notAnArchive,
                "'\(path)' is not an SQLite database, or its beginning is damaged. Nothing was changed. Put a backup in its place, "
                    + "or try 'copystand archive recover FOLDER --archive NEW', which saves what is still readable in a new archive."
            )
        case SQLITE_CANTOPEN:
            self.init(
                .folderUnusable,
                "The archive '\(path)' can't be opened (\(error.message)). Check that it is there and that you may read and "
                    + "write it and its folder. One that was not closed can be read only with all of its files, '-wal' and '-shm'."
            )
        default:
            self.init(
                .inputOutput,
                "The archive '\(path)' could not be read or written (\(said)). Check the disk, and try again."
            )
        }
    }

    /// The error for a PostgreSQL server's answer about the archive at `place`.
    init(_ error: PostgreSQLError, place: String) {
        let said = error.state.isEmpty ? error.message : "\(error.message); SQLSTATE \(error.state)"
        switch error.kind {
        case .unreachable where error.state == "08001":
            self.init(.refused, "The archive '\(place)' can't be used: \(error.message).")
        case .unreachable:
            self.init(
                .unreachable,
                "The server of the archive '\(place)' does not answer (\(said)). Check that it runs and that the network is up, "
                    + "and try again.")
        case .notAdmitted:
            self.init(
                .notAdmitted,
                "The server of the archive '\(place)' does not let you in (\(said)). Put the user into the address, as in "
                    + "postgresql://USER@HOST/NAME, and the password into ~/.pgpass.")
        case .busy, .conflict:
            self.init(
                .busy,
                "The server of the archive '\(place)' is busy (\(said)). Nothing was changed. Try again in a moment."
            )
        case .forbidden:
            self.init(
                .readOnly,
                "The archive '\(place)' can't be changed with your rights (\(said)). Ask the database's administrator for permission."
            )
        case .missing:
            self.init(
                .missing,
                "The database of the archive '\(place)' lacks something (\(said)). Make the database with 'createdb', and the "
                    + "archive with: copystand archive init '\(place)' --images PLACE")
        case .noSpace:
            self.init(
                .noSpace,
                "No space is left on the server of the archive '\(place)'. Nothing was changed. Free some space there, and try again."
            )
        case .damaged:
            self.init(
                .damaged,
                "The server found the archive '\(place)' damaged (\(said)). Restore a backup of the database."
            )
        case .constraint, .other:
            let line = error.operation.prefix(80)
            self.init(
                .inputOutput,
                "The archive '\(place)' could not be read or written (\(said), at: \(line)). Check the server's log."
            )
        }
    }

    /// The error for a disk that can't be written; `what` failed because of that.
    init(_ refusal: DiskRefusal, _ what: String) {
        self.init(
            refusal.reason == .full ? .noSpace : .readOnly,
            "\(what). Nothing was changed. \(refusal.message)")
    }

    /// The error for a failed system call on `path`.
    ///
    /// - Parameter needed: the bytes that should have been written; nil if unknown.
    static func system(
        _ number: Int32, _ verb: String, _ path: String, needed: Int? = nil
    ) -> ArchiveError {
        if let refusal = DiskRefusal(number, at: path, needed: needed) {
            return ArchiveError(refusal, "Cannot \(verb) '\(path)'")
        }
        switch number {
        case EFBIG:
            return ArchiveError(
                .noSpace,
                "Cannot \(verb) '\(path)': a file there may not be as large (the limit of the file system or of 'ulimit -f'). "
                    + "Name another folder.")
        case EACCES, EPERM:
            return ArchiveError(
                .readOnly,
                "Cannot \(verb) '\(path)': you may not write there. Change its permissions, or name another folder."
            )
        default:
            return ArchiveError(
                .inputOutput,
                "Cannot \(verb) '\(path)': \(String(cString: strerror(number))). Check the disk and the path."
            )
        }
    }

    /// The error for something in an archive's folder that can't be opened, made or removed.
    init(_ error: GuardedFileError, _ verb: String) {
        switch error.code {
        case .missing, .system: self = .system(error.number, verb, error.path)
        case .wrongKind, .notOwn, .tooLarge: self.init(.folderUnusable, error.message)
        }
    }

    /// The error for an archive or a queue of a newer version.
    init(_ error: SchemaSteps.NewerVersion, place: String) {
        self.init(
            .newerVersion,
            "The archive '\(place)' was brought up to date by a newer version of Copystand (schema \(error.found); this one "
                + "knows \(error.known)). It was left as it is. Install that version.")
    }

    /// The error as an ``ArchiveError``.
    package static func wrapping(_ error: any Error, path: String) -> ArchiveError {
        switch error {
        case let error as ArchiveError: error
        case let error as DatabaseError: ArchiveError(error, path: path)
        case let error as PostgreSQLError: ArchiveError(error, place: path)
        case let error as SchemaSteps.NewerVersion: ArchiveError(error, place: path)
        case let error as ReviewError: ArchiveError(.refused, error.message)
        default: ArchiveError(.inputOutput, "The archive '\(path)': \(error).")
        }
    }
}
