import Glibc

/// An input that no backend can open: standard input, a pipe, or a descriptor of this process.
enum StreamedInput: Hashable, Sendable {
    /// Standard input.
    case standard
    /// A path such as `/dev/fd/63` or a pipe's.
    case path(String)

    /// The maximum number of bytes of an input that are copied: 8 GiB.
    static let most = 8 << 30

    /// The input that a source names; nil for a device, a file or a folder that a backend opens.
    init?(source: String) {
        if source == "-" {
            self = .standard
            return
        }
        guard source.hasPrefix("file:/") else { return nil }
        let path = String(source.dropFirst("file:".utf8.count))
        if ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(path) {
            self = .standard
            return
        }
        var about = stat()
        let isOurs = path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
        guard isOurs || (stat(path, &about) == 0 && about.st_mode & S_IFMT == S_IFIFO) else {
            return nil
        }
        self = .path(path)
    }

    /// A descriptor for reading the input, or −1 and `errno`; does not wait for the writer of a
    /// pipe.
    func open() -> Int32 {
        switch self {
        case .standard: STDIN_FILENO
        case .path(let path): Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        }
    }

    /// The input's label for pages.
    var name: String {
        switch self {
        case .standard: "standard input"
        case .path(let path): path
        }
    }

    /// The input's name in messages.
    var words: String {
        switch self {
        case .standard: "Standard input"
        case .path(let path): "'\(path)'"
        }
    }
}
