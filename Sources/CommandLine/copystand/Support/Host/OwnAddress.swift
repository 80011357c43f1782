import HTTPServer

/// The name by which other machines of the network reach this one.
enum OwnAddress {
    /// The machine's name followed by `.local`, as in mDNS.
    static var shown: String {
        let text = ThisMachine.name
        return text.contains(".") ? text : text + ".local"
    }
}
