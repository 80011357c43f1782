import CommandLine
import Recognition
import ScanService

/// The rules for splitting a batch, from the command line.
struct SplitArguments: Hashable, Sendable {
    /// The words and patterns, in the order given; empty to use the profile's.
    var marks: [String]
    /// The treatment of the pages at which the batch is split.
    var pages: SplitPages

    /// Reads the settings from a parsed command line.
    ///
    /// - Throws: ``UsageError`` for an invalid pattern, with the place where it is wrong.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        marks = parsed.texts(ScanOptions.splitAt)
        pages = parsed.text(ScanOptions.splitPage).flatMap(SplitPages.init) ?? .auto
        for mark in marks {
            do throws(SplitRuleError) { _ = try SplitRule(mark) } catch {
                throw UsageError(
                    .refused(
                        error.clause
                            + ". \(ScanOptions.splitAt.spelling) takes \(SplitRule.expectation)"),
                    argument: mark, path: parsed.path)
            }
        }
    }
}
