public import Documents
import Glibc

extension ArchiveUser {
    /// The system's user who runs this program, on this machine.
    public static let ofThisProcess = ArchiveUser(name: systemName, station: ThisStation.name)

    /// The name of the program's user (`getpwuid_r`), or the number of a user without a name.
    private static var systemName: String {
        let number = geteuid()
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwuid_r(number, &entry, &buffer, buffer.count, &found) == 0, found != nil,
            let name = entry.pw_name, name.pointee != 0
        else { return "user \(number)" }
        return String(cString: name)
    }
}
