import Glibc

/// This program's machine, under its name for others.
public enum ThisStation {
    /// Its name in the network (`gethostname`).
    public static var name: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0, buffer[0] != 0 else {
            return "a machine without a name"
        }
        return String(
            decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
