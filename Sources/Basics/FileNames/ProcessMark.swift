import Glibc

/// The identity of a process: its machine, its number and its start time.
public struct ProcessMark: Hashable, Sendable {
    private let machine: Substring
    private let process: pid_t
    /// The start time in ticks of the kernel's clock since the machine started.
    private let start: UInt64

    /// The mark of this process.
    public static let own = ProcessMark(
        machine: Substring(machineName()), process: getpid(), start: started(getpid()) ?? 0)

    private init(machine: Substring, process: pid_t, start: UInt64) {
        self.machine = machine
        self.process = process
        self.start = start
    }

    /// Reads a mark from its text; nil for any other text.
    public init?(_ text: Substring) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 16, let process = pid_t(parts[1]),
            process > 0, let start = UInt64(parts[2])
        else { return nil }
        self.init(machine: parts[0], process: process, start: start)
    }

    /// The mark as letters, digits and hyphens, of at most 48 bytes.
    public var text: String { "\(machine)-\(process)-\(start)" }

    /// True if the process ran on this machine and has ended; false for a process on another
    /// machine, since nothing is known about it.
    public var isGone: Bool {
        guard machine == Self.own.machine else { return false }
        if kill(process, 0) != 0 { return errno == ESRCH }
        guard let now = Self.started(process) else { return false }
        return now != start
    }

    /// The time when a process began (`proc_pid_stat(5)`, field 22); nil when this process may not
    /// see it.
    private static func started(_ process: pid_t) -> UInt64? {
        guard let text = contents("/proc/\(process)/stat"),
            let end = text.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = text[(end + 1)...].split(separator: UInt8(ascii: " "))
        return fields.count > 19 ? UInt64(String(decoding: fields[19], as: UTF8.self)) : nil
    }

    /// This machine and this process's PID namespace, as sixteen digits: a container numbers its
    /// processes on its own.
    private static func machineName() -> String {
        var target = [UInt8](repeating: 0, count: 64)
        let count = max(0, readlink("/proc/self/ns/pid", &target, target.count))
        let identity =
            contents("/etc/machine-id") ?? contents("/proc/sys/kernel/random/boot_id") ?? []
        // The hash is FNV-1a with 64 bits.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in identity + target.prefix(count) {
            hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    private static func contents(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(file, &bytes, bytes.count)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }
}
