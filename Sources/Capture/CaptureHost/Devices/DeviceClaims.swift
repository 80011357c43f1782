import CPosix
import CaptureKit
import ExpectedFailures
import Glibc
import GuardedFiles
import UserFiles

/// The claims of jobs on devices, for all processes of a user.
///
/// A claim is a lock on a file that names its holder. It ends with the process, even if that
/// crashes. Where no such file can be made, nothing is claimed, and only a device's driver decides
/// whether it is free.
public struct DeviceClaims: Sendable {
    private let folder: String

    /// The maximum number of bytes of a user's name that are stored.
    private static let mostBytes = 200

    /// The claims in a folder, which is made when it is first needed.
    public init(folder: String) { self.folder = folder }

    /// The claims of the user that the environment describes: `$XDG_STATE_HOME/copystand/claims`;
    /// nil for a user without a home.
    public static func standard(environment: [String: String]) -> DeviceClaims? {
        UserFolders(environment: environment).knownPath(.state).map {
            DeviceClaims(folder: $0 + "/claims")
        }
    }

    /// Checks that a device's file, and the folder of all of them, are this user's own.
    ///
    /// - Throws: ``HostError`` `spoolFailed`, naming the thing in their place.
    public func check(_ device: String) throws {
        try spooling { () throws(GuardedFileError) in
            try GuardedFolder.own(folder)?.checkFile(name(of: device))
        }
    }

    /// Claims a device, by its id `<backend>:<rest>`; nil while another job has it.
    ///
    /// - Parameter user: the name of the claimant for people, such as `a scan from 192.168.1.20`.
    public func claim(_ device: String, for user: String) -> DeviceClaim? {
        // Where no claim can be written, devices are assigned only within this process.
        let own = ifSupported {
            OwnedDescriptor(try GuardedFolder.make(folder).openOrCreate(self.name(of: device)))
        }
        guard let file = own else { return DeviceClaim(nil) }
        guard cposix_lock(file.raw) == 0 else {
            return [EAGAIN, EACCES].contains(errno) ? nil : DeviceClaim(nil)
        }
        let name = Array(user.utf8.prefix(Self.mostBytes))
        _ = ftruncate(file.raw, 0)
        _ = name.withUnsafeBytes { pwrite(file.raw, $0.baseAddress, $0.count, 0) }
        return DeviceClaim(file)
    }

    /// The user who has claimed a device; nil when no one has.
    public func user(of device: String) -> String? {
        let claim = asHint { try GuardedFolder(folder).open(self.name(of: device), O_RDWR) }
        guard let raw = claim?.descriptor else { return nil }
        let file = OwnedDescriptor(raw)
        guard cposix_is_locked(file.raw) == 1 else { return nil }
        var name = [UInt8](repeating: 0, count: Self.mostBytes)
        let count = pread(file.raw, &name, name.count, 0)
        // A claimant locks the file before writing its name.
        guard count > 0 else { return "another job" }
        return String(decoding: name.prefix(count), as: UTF8.self)
            .filter { !$0.isNewline && $0 != "\u{1b}" }
    }

    /// A device's id has slashes and may be long, so a file is named by a hash of it (FNV-1a).
    private func name(of device: String) -> String {
        let number = device.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return String(number, radix: 16)
    }
}

/// A claim on a device, which lasts until the value is released.
public final class DeviceClaim: Sendable {
    private let file: OwnedDescriptor?

    init(_ file: OwnedDescriptor?) { self.file = file }

    deinit {
        // Closing is not enough: a child process that is being started holds the same lock until it
        // runs its program.
        if let file { _ = cposix_unlock(file.raw) }
    }
}
