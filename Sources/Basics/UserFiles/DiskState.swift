import Glibc

/// The state of a disk, from `statvfs(3)`.
public struct DiskState: Sendable {
    /// The bytes that this user can still write.
    public let free: Int
    /// The size of the file system in bytes.
    public let size: Int
    /// True if the file system is mounted read-only.
    public let isReadOnly: Bool
    /// True if the file system has a limited number of files, and it is reached.
    public let takesNoFile: Bool

    /// The disk of a path, which need not exist; nil if it can't be asked.
    public init?(of path: String) {
        var about = statvfs()
        guard let place = Self.existing(path), statvfs(place, &about) == 0 else { return nil }
        let block = Int(clamping: about.f_frsize)
        free = Self.product(Int(clamping: about.f_bavail), block)
        size = Self.product(Int(clamping: about.f_blocks), block)
        isReadOnly = about.f_flag & UInt(ST_RDONLY) != 0
        takesNoFile = about.f_files > 0 && about.f_favail == 0
    }

    /// The folder in which the disk of a path is mounted; the path itself if the kernel does not
    /// report it.
    public static func mountPoint(of path: String) -> String {
        guard let place = existing(path) else { return path.isEmpty ? "." : path }
        let points = mountPoints().filter { point in
            point == "/" || place == point || place.hasPrefix(point + "/")
        }
        return points.max { $0.utf8.count < $1.utf8.count } ?? place
    }

    /// The folders in which file systems are mounted, from the fifth field of each line.
    private static func mountPoints() -> [String] {
        guard let file = fopen("/proc/self/mountinfo", "re") else { return [] }
        defer { fclose(file) }
        var (line, size) = (nil as UnsafeMutablePointer<CChar>?, 0)
        defer { Glibc.free(line) }
        var points: [String] = []
        while getline(&line, &size, file) > 0, let line {
            let fields = String(cString: line).split(separator: " ")
            if fields.count > 4 { points.append(unescaped(fields[4])) }
        }
        return points
    }

    /// The kernel writes a space, for example, as a backslash and three octal digits.
    private static func unescaped(_ field: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = field.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"),
                let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The nearest folder or file on a path that exists, without links.
    private static func existing(_ path: String) -> String? {
        var path = path.isEmpty ? "." : path[...]
        while true {
            if let real = realpath(String(path), nil) {
                defer { Glibc.free(real) }
                return String(cString: real)
            }
            guard errno == ENOENT, path != "/", path != "." else { return nil }
            let slash = path.lastIndex(of: "/")
            path = slash.map { $0 == path.startIndex ? "/" : path[..<$0] } ?? "."
        }
    }

    private static func product(_ count: Int, _ block: Int) -> Int {
        let (bytes, isHuge) = count.multipliedReportingOverflow(by: block)
        return isHuge ? .max : bytes
    }
}
