import Documents
import JobOptions
import Processing
import Recognition

/// The rules for splitting a job's stack, and the processing of pages for them.
struct Splitting: Sendable {
    /// The rules for splitting; empty for no split.
    let rules: [SplitRule]
    /// The profile, with the steps that detect sheets and their blank backs.
    let profile: Profile
    /// True when blank pages are detected only for the backs, and are ordinary pages otherwise.
    private let forgetsBlank: Bool

    /// The rules of an order and a profile.
    ///
    /// - Throws: ``JobError`` `splitRuleWrong` for an invalid rule.
    init(_ order: ScanOrder, _ profile: Profile) throws {
        rules = try order.options[.splitAt].map { text throws(JobError) in
            do throws(SplitRuleError) { return try SplitRule(text) } catch {
                throw JobError(
                    .splitRuleWrong,
                    "The batch can't be split at '\(text)': it \(error.clause). Write \(SplitRule.expectation)."
                )
            }
        }
        let isSplit = !rules.isEmpty
        self.profile = try isSplit ? profile.overriding(["blank=on", "barcodes=on"]) : profile
        forgetsBlank = isSplit && !profile.steps.contains { $0.name == Self.blankStep }
    }

    /// Pages as they are captured, in one document.
    static let nowhere = Splitting(Profile(name: "none", title: ""))

    private init(_ profile: Profile) {
        (rules, self.profile, forgetsBlank) = ([], profile, false)
    }

    /// A page with only the steps of the job's profile.
    func asOrdered(_ page: Page) -> Page {
        guard forgetsBlank else { return page }
        var page = page
        page.provenance.steps.removeAll { $0.name == Self.blankStep }
        return page
    }

    private static let blankStep = "blank"
}
