import ExpectedFailures
import FoundationEssentials
import UserFiles

/// The request of a search, sent as JSON; the search program's only argument besides its keyword.
struct SearchRequest: Codable, Hashable, Sendable {
    /// The drivers to ask; nil for all in SANE's configuration.
    var drivers: [String]?
    /// The system's USB devices.
    var usb = USBDevices()
    /// True to leave out network scanners.
    var isLocalOnly = false
    /// True to open the scanners for their facts and state.
    var opensScanners = false
    /// The ids of scanners whose facts are known, so that they need not be opened.
    var known: [String] = []
    /// Milliseconds after which a driver that has not named its scanners is stopped.
    var patience = 7000
    /// Milliseconds after which a driver whose scanners are still being opened is stopped.
    var wholePatience = 8500
}

/// A line from the search program: an event of one driver.
struct SearchLine: Codable, Hashable, Sendable {
    /// The event.
    enum Event: Codable, Hashable, Sendable {
        /// The driver names a scanner.
        case found(FoundScanner)
        /// The driver has named all of its scanners.
        case listed
        /// The driver opens the scanner of this id.
        case opening(String)
        /// The facts from opening the scanner with this id.
        case facts(String, ScannerFacts)
        /// The driver has finished.
        case done
        /// SANE refused to list the driver's scanners, with this text.
        case refused(String)
        /// The driver's process was ended by this signal, or exited in the middle of its work.
        case crashed(signal: Int32?)
        /// The driver took too long and was stopped.
        case hung
        /// Every driver has ended; the last line of all.
        case end
    }

    var driver: String
    var event: Event

    /// The line as JSON with a line feed.
    var bytes: [UInt8] { ((try? JSONEncoder().encode(self)).map(Array.init) ?? []) + [10] }

    init(_ driver: String, _ event: Event) {
        self.driver = driver
        self.event = event
    }

    /// Reads a line without its line feed; nil for anything else.
    init?(_ bytes: some Collection<UInt8>) {
        let line = ofKnownForm { try JSONDecoder().decode(SearchLine.self, from: Data(bytes)) }
        guard let line else { return nil }
        self = line
    }
}

/// Splits the bytes from a pipe into lines.
struct LineBuffer {
    /// The maximum size of a line in bytes; more bytes without a line feed are not one of our
    /// lines.
    private static let most = 1 << 20

    private var rest: [UInt8] = []

    /// Adds `bytes`, and returns the lines that are complete now, without their line feeds.
    mutating func add(_ bytes: some Collection<UInt8>) -> [[UInt8]] {
        rest += bytes
        var lines: [[UInt8]] = []
        while let end = rest.firstIndex(of: 10) {
            lines.append(Array(rest[..<end]))
            rest.removeFirst(end + 1)
        }
        if rest.count > LineBuffer.most { rest = [] }
        return lines
    }
}

/// Writes all of `bytes`; false when no one reads anymore.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { writeAll($0, to: descriptor) } == 0
}
