import CommandLine
import HTTPServer
import WebServer

/// The address for other machines of the host that `serve` runs.
struct ServedAddress {
    /// The address that the host listens on.
    var address: String
    var port: UInt16
    var isSecure: Bool
    /// The names that the host was given.
    var names: [String]

    /// True if the host listens on every address of the machine.
    private var isEverywhere: Bool { address == "0.0.0.0" || address == "::" }

    /// The address for a browser; for a host that listens on every address, an address that other
    /// machines reach.
    var text: String { "\(isSecure ? "https" : "http")://\(host(best))" }

    /// The name, or else the numeric address, by which other machines reach the host.
    ///
    /// Not every phone finds names that end in `.local`, so a numeric address comes first.
    private var best: String {
        guard isEverywhere else { return address }
        return names.first ?? ThisMachine.addresses.first ?? OwnAddress.shown
    }

    private func host(_ name: String) -> String {
        (name.contains(":") ? "[\(name)]" : name) + ":\(port)"
    }

    /// Shows a QR code that signs in one phone, and the host's addresses.
    func invite(_ code: String, _ console: Console) throws {
        let address = SignInAddress.text(host: host(best), isSecure: isSecure, code: code)
        if console.error.isTerminal { console.draw(try SignInAddress.terminal(address)) }
        console.say(
            "To sign in on a phone or another computer, open this within 15 minutes; it works once: \(address)"
        )
        guard isEverywhere else { return }
        let others = ([OwnAddress.shown] + ThisMachine.addresses).filter { $0 != best }
        if !others.isEmpty {
            console.say("Other addresses: \(others.map(host).joined(separator: ", "))")
        }
    }
}
