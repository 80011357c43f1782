import CaptureKit
import FoundationEssentials
import Glibc

/// Collects the lines of a search: the scanners, and the problems of single drivers.
struct SearchReport {
    /// The part of a line that must be reported immediately.
    enum News {
        case scanner(FoundScanner)
        case facts(String, ScannerFacts)
    }

    private(set) var scanners: [FoundScanner] = []
    /// The problems of single drivers.
    private(set) var problems: [CaptureError] = []
    /// The reason why the whole search failed; nil if it did not.
    private(set) var failure: CaptureError?
    private var opening: [String: String] = [:]

    /// Adds a line.
    mutating func record(_ line: SearchLine) -> News? {
        switch line.event {
        case .found(var scanner):
            // The same scanner under another driver's name counts as a separate scanner with its
            // own name.
            if scanners.contains(where: { $0.id == scanner.id }) {
                scanner.id = printable(scanner.name)
            }
            guard !scanners.contains(where: { $0.id == scanner.id }) else { return nil }
            scanners.append(scanner)
            return .scanner(scanner)
        case .facts(let id, let facts): return .facts(id, facts)
        case .opening(let id): opening[line.driver] = id
        case .listed, .done, .end: break
        case .refused(let why):
            add(line.driver, .inputOutput, "could not look for scanners: \(why)")
        case .crashed(let signal):
            let how = signal.map { "signal \($0) (\(String(cString: strsignal($0))))" }
            add(
                line.driver, .crashed,
                "crashed \(activity(line.driver))" + (how.map { " with \($0)" } ?? ""))
        case .hung:
            add(line.driver, .hung, "hung \(activity(line.driver)) and was stopped")
        }
        return nil
    }

    private func activity(_ driver: String) -> String {
        opening[driver].map { "while opening '\($0)'" } ?? "while looking for scanners"
    }

    private mutating func add(_ driver: String, _ code: CaptureError.Code, _ what: String) {
        guard !driver.isEmpty else {
            failure = CaptureError(
                code, "The search for scanners \(what)",
                advice: "Try again; see what is missing with: copystand doctor")
            return
        }
        let file = DriverList().file(naming: driver)
        let leaveOut = file.map {
            " If you don't need this driver, put # before '\(driver)' in \($0)."
        }
        problems.append(
            CaptureError(
                code, "The SANE driver '\(driver)' \(what)",
                advice:
                    "Other drivers' scanners are not affected. If a scanner of yours is missing, switch it off and on, then try again."
                    + (leaveOut ?? "")))
    }
}

extension CaptureError.Code {
    /// A driver's process ended in the middle of its work.
    static let crashed = CaptureError.Code(rawValue: "crashed")
    /// A driver did not answer in time.
    static let hung = CaptureError.Code(rawValue: "hung")
}

/// The times that drivers get to look for scanners.
struct SearchPatience: Hashable, Sendable {
    /// The time for a full search.
    var full: Duration = .seconds(7)

    /// Seven seconds, or the milliseconds of `COPYSTAND_SANE_PATIENCE`, 100 to 8,000: the host
    /// waits for 10 s.
    static var standard: SearchPatience {
        let text = ProcessInfo.processInfo.environment["COPYSTAND_SANE_PATIENCE"] ?? ""
        guard let milliseconds = Int(text), (100...8000).contains(milliseconds) else {
            return SearchPatience()
        }
        return SearchPatience(full: .milliseconds(milliseconds))
    }
}

extension SearchRequest {
    /// Sets the times of drivers: at most 2.5 s in a quick search.
    mutating func apply(patience: SearchPatience, isQuick: Bool) {
        let full = Int(patience.full / .milliseconds(1))
        self.patience = isQuick ? min(2500, full) : full
        wholePatience = full + 1500
    }
}
