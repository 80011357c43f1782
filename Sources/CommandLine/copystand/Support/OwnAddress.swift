import Glibc

/// The name by which other machines of the network reach this one.
enum OwnAddress {
    /// The machine's name followed by `.local`, as in mDNS.
    static var shown: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        let text = String(
            decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.contains(".") ? text : text + ".local"
    }
}
