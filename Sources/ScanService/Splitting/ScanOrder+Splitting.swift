import Recognition

extension ScanOrder {
    /// Where the batch is split.
    ///
    /// - Throws: ``JobError`` `splitRuleWrong` for a rule that is none.
    func splitRules() throws(JobError) -> [SplitRule] {
        var rules: [SplitRule] = []
        for text in splitAt {
            do throws(SplitRuleError) { rules.append(try SplitRule(text)) } catch {
                throw JobError(
                    .splitRuleWrong,
                    "The batch can't be split at '\(text)': it \(error.clause). Write \(SplitRule.expectation)."
                )
            }
        }
        return rules
    }
}
