/// A number with at most `digits` digits after the point, without trailing zeros, never in exponent
/// form.
///
/// A number that is not finite becomes 0, and one beyond ±1e12 is clamped to it, because the file
/// formats can't express it.
func decimal(_ value: Double, digits: Int) -> String {
    guard value.isFinite else { return "0" }
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((min(max(value, -1e12), 1e12) * Double(scale)).rounded())
    let (whole, part) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
    var text = scaled < 0 ? "-\(whole)" : "\(whole)"
    if part != 0 {
        var fraction = String(part)
        fraction = String(repeating: "0", count: digits - fraction.count) + fraction
        while fraction.last == "0" { fraction.removeLast() }
        text += "." + fraction
    }
    return text
}
