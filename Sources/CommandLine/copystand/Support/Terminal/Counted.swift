/// A number with its noun: `1 page`, `3 pages`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// A number with one digit after the point.
func tenths(_ number: Double) -> String {
    let tenths = number > 0 ? Int((min(number, 1e15) * 10).rounded()) : 0
    return "\(tenths / 10).\(tenths % 10)"
}
