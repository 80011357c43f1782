import Recognition

extension ProfileReader {
    /// The rules for splitting a stack: a list of words for sheets and of patterns.
    mutating func splitAt(_ value: JSON5Value?) -> [String] {
        guard let value else { return [] }
        guard case .array(let entries) = value.kind else {
            wrong(value, "splitAt", expected: "a list such as [\"separator\", \"ASN\\\\d+\"]")
            return []
        }
        var rules: [String] = []
        for (index, entry) in entries.enumerated() {
            guard case .string(let text) = entry.kind else {
                wrong(entry, "splitAt[\(index)]", expected: SplitRule.expectation + ", in quotes")
                continue
            }
            do throws(SplitRuleError) {
                rules.append(try SplitRule(text).text)
            } catch {
                report(
                    .invalidValue, entry.position, "splitAt[\(index)]", value: text,
                    reason: "'\(text.prefix(60))' \(error.clause)")
            }
        }
        return rules
    }
}
