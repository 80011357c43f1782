import Archive
import CaptureHost
import Delivery
import Documents
import FoundationEssentials
import JobOptions
import Processing
import Readers
import Recognition
import ScanService
import ScannerSharing
import WebServer

extension ServerContext {
    /// The context of a host for the user's folders in the environment.
    static func standard(
        host: CaptureHost, recognizer: Readers, environment: [String: String], servesShares: Bool,
        processing: ProcessingPlace = .here
    ) throws -> ServerContext {
        ServerContext(
            host: host,
            service: try ScanService(
                host: host, recognizer: recognizer, as: "the host on this machine",
                environment: environment),
            store: try .standard(environment: environment),
            profiles: ProfileLibrary(environment: environment),
            archiveFolder: try Archive.standardPlace(environment: environment),
            defaultOutput: try ScanOrder.defaultOutput(environment), processing: processing,
            run: String(
                Int(
                    rounding: Date().timeIntervalSince1970 * 1000,
                    in: 0...1_000_000_000_000_000_000), radix: 36),
            version: Program.version,
            sinks: NamedSinks(
                names: { try SinksCommand.registry(environment).list.choices },
                named: { try namedSink($0, environment) },
                outbox: {
                    try SinksCommand.outbox(SinksCommand.registry(environment), environment)
                },
                registry: { try SinksCommand.registry(environment) }),
            shares: try .standard(environment: environment), servesShares: servesShares)
    }
}
