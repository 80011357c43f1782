import FoundationEssentials
import Glibc

/// A host that `copystand serve` runs, for tests of its clients.
final class RunningHost {
    let running: BuiltProgram.Running
    /// The address on which the host listens.
    let address: String

    /// Starts a host with the home `home`, and returns once the host listens.
    init(
        in home: TemporaryFolder, _ more: [String] = [], port: Int = 0,
        environment: [String: String] = [:]
    ) throws {
        running = try BuiltProgram.spawn(
            BuiltProgram.path, ["serve", "--listen", "127.0.0.1:\(port)"] + more, in: home,
            environment: ["COPYSTAND_SPOOL": home.path + "/spool"].merging(environment) { $1 })
        address = try Self.waitForAddress(running)
    }

    /// Waits for the address that a program prints on standard error.
    ///
    /// The limit of half a minute is reached only if a test fails.
    static func waitForAddress(_ running: BuiltProgram.Running) throws -> String {
        for _ in 0..<300 {
            let said = said(running)
            if let start = said.firstRange(of: "Listening on ")?.upperBound {
                let text = said[start...].prefix { $0 != " " && $0 != "\n" }
                if said[text.endIndex...].hasPrefix(". ") || said[text.endIndex...].hasPrefix(" ") {
                    return String(text.hasSuffix(".") ? text.dropLast() : text)
                }
            }
            usleep(100_000)
        }
        throw BuiltProgram.Failure(message: "no host listens: \(said(running))")
    }

    /// The text that a program has written to standard error so far.
    static func said(_ running: BuiltProgram.Running) -> String {
        (try? String(contentsOf: URL(filePath: running.folder + "/errors"), encoding: .utf8)) ?? ""
    }

    /// The port number in the address.
    var port: Int { Int(address.split(separator: ":").last ?? "") ?? 0 }

    /// Ends the host, and waits for its end.
    @discardableResult
    func end(_ signal: Int32 = SIGINT) throws -> BuiltProgram.Outcome {
        kill(running.process, signal)
        return try running.wait()
    }
}
