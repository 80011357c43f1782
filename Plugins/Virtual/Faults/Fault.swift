/// The faults that a page can have, as the option `fault` names them.
enum Fault: String, CaseIterable, Sendable {
    /// The page has no fault.
    case none
    /// Paper is stuck halfway down the page.
    case jam
    /// The cover is open before the page.
    case coverOpen = "cover-open"
    /// Two sheets are drawn in before the page.
    case doubleFeed = "double-feed"
    /// The program aborts (SIGABRT) halfway down the page.
    case crash
    /// The program exits with status 3 before the page's first row.
    case exit
    /// The program exits with status 0 halfway down the page.
    case torn
    /// The capture stops halfway and ignores a cancellation.
    case hang
    /// The whole process stops (SIGSTOP) halfway: it no longer receives anything.
    case freeze
    /// More rows are announced than are sent.
    case wrongSize = "wrong-size"
    /// More rows are sent than were announced.
    case oversized
    /// A page of 60,000 × 60,000 pixels is announced.
    case huge
    /// Rows arrive slowly; the option `row-delay` sets how slowly.
    case slow
    /// The page is reported as damaged, and the next one follows.
    case skip
    /// Bytes that are not a message are written to the host's socket before the page's first row.
    case garbage
    /// Standard output and error are flooded before the page.
    case noise
}
