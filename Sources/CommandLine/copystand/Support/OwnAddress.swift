import Glibc

/// The name by which other machines of the network reach this one.
enum OwnAddress {
    /// The machine's name with `.local` behind it, as mDNS has it.
    static var shown: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        let text = String(
            decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.contains(".") ? text : text + ".local"
    }
}
