import Glibc

/// Reads secrets from files.
enum FirstLine {
    /// The first line of a small text file, such as a secret; `-` is standard input, and a pipe is
    /// read as well.
    ///
    /// Nil where the file can't be read, is not UTF-8, or has a first line of more than 64 KiB.
    static func of(_ path: String) -> String? {
        let file = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let most = 65_536
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while bytes.count <= most, !bytes.contains(where: isEnd) {
            let count = read(file, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += buffer.prefix(count)
        }
        // Editors on Windows put a byte order mark before the text.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0)
        let line = text.prefix { !isEnd($0) }
        return line.count <= most ? String(validating: line, as: UTF8.self) : nil
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}
