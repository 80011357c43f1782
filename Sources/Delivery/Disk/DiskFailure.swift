import Glibc

extension DeliveryError {
    /// The error for a failed system call on `name` in `folder`.
    ///
    /// - Parameters: - number: The call's `errno`. - verb: What was to be done, such as "write". - written: How many
    ///   bytes had been written by then, for `noSpace`.
    static func disk(
        _ number: Int32, _ verb: String, _ name: String, in folder: String, written: Int = 0
    ) -> DeliveryError {
        let path = joined(folder, name)
        let place = folder.isEmpty ? "." : folder
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
        case EACCES, EPERM, EROFS:
            let reason =
                number == EROFS ? "'\(place)' is read-only" : "you may not write to '\(place)'"
            return DeliveryError(
                .permissionDenied,
                "Cannot \(verb) '\(path)': \(reason). "
                    + "Choose a folder you may write to, or change its permissions.")
        case ENOSPC, EDQUOT:
            let reason = number == EDQUOT ? "your quota is used up" : "no space is left"
            return DeliveryError(
                .noSpace,
                "Cannot \(verb) '\(path)': \(reason) in '\(place)', after \(readable(written)) were "
                    + "written. Free some space there, or choose a folder on another disk.")
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
}

/// A byte count for people, such as "12.3 MB".
func readable(_ bytes: Int) -> String {
    switch bytes {
    case ..<1000: "\(bytes) bytes"
    case ..<1_000_000: decimal(Double(bytes) / 1000, digits: 1) + " kB"
    case ..<1_000_000_000: decimal(Double(bytes) / 1_000_000, digits: 1) + " MB"
    default: decimal(Double(bytes) / 1_000_000_000, digits: 1) + " GB"
    }
}

/// `folder/name`, or the name alone in the current folder.
func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
}

/// A path as a shell takes it for one word.
package func shellQuoted(_ path: String) -> String {
    let plain = path.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
    if plain && !path.isEmpty { return path }
    return "'"
        + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
        + "'"
}
