import Glibc
import GuardedFiles
import UserFiles

extension DeliveryError {
    /// The error for a file or folder that can't be used.
    ///
    /// - Parameter verb: the failed action, such as "write".
    init(_ error: GuardedFileError, _ verb: String) {
        guard error.number != 0 else {
            self.init(.inputOutput, error.message)
            return
        }
        let name = error.path.split(separator: "/").last.map(String.init) ?? error.path
        let folder = error.path.dropLast(name.utf8.count + 1)
        self = .disk(error.number, verb, name, in: folder.isEmpty ? "/" : String(folder))
    }

    /// The error for a failed system call on `name` in `folder`.
    ///
    /// - Parameters:
    ///   - number: the call's `errno`.
    ///   - verb: the failed action, such as "write".
    ///   - written: the bytes that were already written, for `noSpace`.
    static func disk(
        _ number: Int32, _ verb: String, _ name: String, in folder: String, written: Int = 0
    ) -> DeliveryError {
        let path = joined(folder, name)
        let place = folder.isEmpty ? "." : folder
        if let refusal = refusedName(number, verb, name, in: folder) { return refusal }
        if let refusal = DiskRefusal(
            number, at: place,
            advice: number == EROFS
                ? nil : "Free some space there, or choose a folder on another disk.")
        {
            let done = written > 0 ? ", after \(readable(written)) were written" : ""
            return DeliveryError(
                refusal.reason == .full ? .noSpace : .permissionDenied,
                "Cannot \(verb) '\(path)'\(done). \(refusal.message)")
        }
        switch number {
        case ENOENT:
            return DeliveryError(
                .folderMissing,
                "Cannot \(verb) '\(path)': there is no folder '\(place)'. "
                    + "Make it with: mkdir -p \(shellQuoted(place))")
        case ENOTDIR:
            return DeliveryError(
                .folderMissing,
                "Cannot \(verb) '\(path)': '\(place)' is not a folder. Choose another path.")
        case EACCES, EPERM:
            return DeliveryError(
                .permissionDenied,
                "Cannot \(verb) '\(path)': you may not write to '\(place)'. "
                    + "Choose a folder you may write to, or change its permissions.")
        case EFBIG:
            return DeliveryError(
                .noSpace,
                "Cannot \(verb) '\(path)': a file there may not be larger than \(readable(written)) "
                    + "(the limit of the file system or of 'ulimit -f'). Choose another folder.")
        case ENAMETOOLONG:
            return DeliveryError(
                .inputOutput,
                "Cannot \(verb) '\(path)': the name is too long. A name has at most 255 bytes. Choose a shorter one."
            )
        default:
            return DeliveryError(
                .inputOutput,
                "Cannot \(verb) '\(path)': \(String(cString: strerror(number))). "
                    + "Check the disk, or choose another folder.")
        }
    }

    /// The error for a name that the file system does not accept, such as one with a colon on
    /// exFAT; nil for another failure.
    ///
    /// FAT and exFAT report a missing file, although the folder exists.
    private static func refusedName(
        _ number: Int32, _ verb: String, _ name: String, in folder: String
    ) -> DeliveryError? {
        let path = joined(folder, name)
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let last = String(parts.last ?? "")
        let above = parts.dropLast().joined(separator: "/")
        let place = above.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : above
        let working = portableName(last)
        guard ["write", "make"].contains(verb), working != last else { return nil }
        switch number {
        case EINVAL, EILSEQ: break
        case ENOENT where access(place, F_OK) == 0: break
        default: return nil
        }
        return DeliveryError(
            .inputOutput,
            "Cannot \(verb) '\(path)': the file system of '\(place)' does not accept the name '\(last)'. "
                + "A name that it accepts: '\(working)'.")
    }

    /// The name with hyphens in place of characters that FAT, exFAT and NTFS refuse, and without a
    /// dot or space at its end.
    private static func portableName(_ name: String) -> String {
        var letters = Array(
            name.unicodeScalars.map { scalar in
                scalar.value < 32 || "\"*:<>?\\|".unicodeScalars.contains(scalar)
                    ? "-" : Character(scalar)
            })
        while let last = letters.last, last == "." || last == " " { letters.removeLast() }
        return letters.isEmpty ? "document" : String(letters)
    }
}

/// `folder/name`, or only the name in the current folder.
func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
}

/// A path, quoted as one word for a shell.
package func shellQuoted(_ path: String) -> String { shellWord(path) }
