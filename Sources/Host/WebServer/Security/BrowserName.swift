/// Names browsers for the list of tokens.
enum BrowserName {
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
        ("Mac OS X", "Mac"), ("CrOS", "Chromebook"), ("Linux", "Linux"),
    ]
    /// Programs whose `User-Agent` also contains another program's name come first.
    private static let programs = [
        ("Firefox/", "Firefox"), ("Edg", "Edge"), ("OPR/", "Opera"), ("Chrome/", "Chrome"),
        ("CriOS/", "Chrome"), ("FxiOS/", "Firefox"), ("Safari/", "Safari"),
    ]

    /// A name such as "Firefox, Linux", from a `User-Agent`; "Browser" for an unknown one.
    static func name(of agent: String?) -> String {
        let agent = agent ?? ""
        let parts = [programs, systems].compactMap { known in
            known.first { agent.contains($0.0) }?.1
        }
        return parts.isEmpty ? "Browser" : parts.joined(separator: ", ")
    }
}
