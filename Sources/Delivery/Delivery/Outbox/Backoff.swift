/// Computes when a failed delivery is tried again: after 30 s, 1 min, 2 min, … up to 6 hours, each
/// varied by up to a quarter.
///
/// The variation keeps many hosts, whose service went away at the same moment, from coming back at
/// the same moment.
enum Backoff {
    /// Seconds to wait at most, before the variation.
    static let longest = 21_600.0
    private static let first = 30.0

    /// Seconds until the next try.
    ///
    /// - Parameters:
    ///   - attempts: the number of attempts so far, at least 1.
    ///   - asked: the seconds that the service asked for; the delay is never shorter.
    ///   - random: 0..<1.
    static func delay(attempts: Int, asked: Double?, random: Double) -> Double {
        // After 20 doublings the limit has long been reached.
        let doublings = Double(1 << min(max(attempts - 1, 0), 20))
        let delay = min(first * doublings, longest) * (0.75 + 0.5 * random)
        return max(delay, asked ?? 0)
    }
}
