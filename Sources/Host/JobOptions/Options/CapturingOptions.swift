/// The options that control how pages are captured or read.
enum CapturingOptions {
    static let all = [
        declaration(of: .waitsForPaper), declaration(of: .collates), declaration(of: .asksForMore),
        declaration(of: .pages), declaration(of: .pageTimeout), declaration(of: .strict),
        declaration(of: .processing),
    ]
}

extension JobOption<Bool> {
    /// True when a capture begins automatically once the feeder has paper.
    public static var waitsForPaper: Self {
        Self(
            "waitsForPaper", .flag, usual: false, reach: .everyone,
            argument: JobOptionArgument(
                name: "wait-for-paper", commands: [.scan, .append],
                help: "Begin as soon as paper is put into the feeder."))
    }

    /// True if the fronts and backs of a stack are captured one after the other, and interleaved.
    ///
    /// The backs of the turned stack come in reverse order. Of two files, the first has the fronts.
    public static var collates: Self {
        Self(
            "collates", .flag, usual: false,
            argument: JobOptionArgument(
                name: "collate", commands: [.scan, .import, .watchFolder],
                help: """
                    Two files make one document: the fronts of a stack, and its backs in reverse \
                    order, as scanned with the stack turned over. Their pages are put in order.
                    """,
                otherHelp: [
                    .scan: """
                    Scan both sides with a one-sided feeder: first the fronts, then, when you \
                    have turned the stack over, the backs; the pages are put in order.
                    """
                ]))
    }

    /// True when another sheet is asked for at the end of each capture, until there is none.
    public static var asksForMore: Self {
        Self("asksForMore", .flag, usual: false, reach: .everyone)
    }

    /// True if damaged pictures are refused instead of being read as far as possible.
    public static var strict: Self {
        Self(
            "strict", .flag, usual: false, effect: .device("strict"),
            argument: JobOptionArgument(
                name: "strict", commands: [.import, .watchFolder],
                help: """
                    Refuse damaged pictures. Without this option they are read as far as possible, \
                    and the page is reported as damaged.
                    """))
    }
}

extension JobOption<Int?> {
    /// The maximum number of pages to capture from each source; nil for as many as there are.
    public static var pages: Self {
        Self(
            "pages", .whole(1...1_000_000), usual: nil, recordName: "limit", reach: .everyone,
            argument: JobOptionArgument(
                name: "pages", short: "n", value: "N",
                commands: [.scan, .import, .watch, .watchFolder, .append],
                help: "Stop after N pages."))
    }
}

extension JobOption<Double> {
    /// The seconds that a page of a file may take to be read.
    public static var pageTimeout: Self {
        Self(
            "pageTimeout", .seconds(1...86_400), usual: 30, reach: .everyone,
            argument: JobOptionArgument(
                name: "page-timeout", value: "TIME", commands: [.import, .watchFolder],
                help: """
                    Leave out a page that takes longer than this to read, such as 90s or 5m, and \
                    continue with the next.
                    """))
    }
}

/// The place where a job's pages are processed.
public enum ProcessingPlace: String, JobOptionChoice {
    /// On the machine that captures them.
    case here
    /// By a worker, before all bulk jobs.
    case later
    /// By a worker, after all jobs that were left with `later`.
    case bulk
}

extension JobOption<ProcessingPlace> {
    /// The place where the pages are processed: here or by workers.
    public static var processing: Self {
        Self(
            "processing", usual: .here,
            argument: JobOptionArgument(
                name: "process", value: "WHERE", commands: [.scan, .append],
                help: """
                    Where the pages are processed and read: here, later by a worker of the shared \
                    archive ('copystand work'), or by a worker in bulk, after all jobs that were \
                    left with 'later'.
                    """))
    }
}
