import Detection

// Reads the part of a profile about capturing a page under a camera automatically.
extension ProfileReader {
    /// A number of ``AutoCaptureSettings`` as a profile names it.
    struct LiveKey: Sendable {
        let name: String
        let range: ClosedRange<Double>
        let path: any WritableKeyPath<AutoCaptureSettings, Double> & Sendable
    }

    static let liveKeys: [LiveKey] = [
        LiveKey(name: "found", range: 0...1, path: \.found),
        LiveKey(name: "ready", range: 0...1, path: \.ready),
        LiveKey(name: "hysteresis", range: 0...0.5, path: \.hysteresis),
        LiveKey(name: "steady", range: 0.1...10, path: \.steady),
        LiveKey(name: "drift", range: 0.001...0.2, path: \.drift),
        LiveKey(name: "overlap", range: 0.5...0.999, path: \.overlap),
        LiveKey(name: "sharpness", range: 0...1, path: \.sharpness),
        LiveKey(name: "patience", range: 0...60, path: \.patience),
        LiveKey(name: "brightness", range: 0...255, path: \.brightness),
        LiveKey(name: "glare", range: 0...1, path: \.glare),
        LiveKey(name: "size", range: 0.005...0.9, path: \.size),
        LiveKey(name: "rate", range: 1...60, path: \.rate),
    ]

    /// The settings in `live: { … }`; a missing setting has its default.
    mutating func liveSettings(
        _ value: JSON5Value?, of target: Profile.Target
    ) -> AutoCaptureSettings {
        var settings = AutoCaptureSettings(for: target)
        guard let value,
            let members = object(
                value, place: "live", expected: "an object such as { ready: 0.85, steady: 0.5 }")
        else { return settings }
        checkKeys(members, known: Self.liveKeys.map(\.name), place: "live", what: "live")
        for key in Self.liveKeys {
            guard let given = members[key.name] else { continue }
            if case .number(let number) = given.kind, key.range.contains(number) {
                settings[keyPath: key.path] = number
            } else {
                wrong(
                    given, "live.\(key.name)",
                    expected: "a number from \(key.range.lowerBound) to \(key.range.upperBound)")
            }
        }
        if settings.found > settings.ready {
            report(
                .invalidValue, value.position, "live",
                reason:
                    "a page is found before it is ready, so found must be at most ready, which is \(settings.ready)"
            )
        }
        return settings
    }
}

extension AutoCaptureSettings {
    /// The usual settings for the target: a card may be small.
    init(for target: Profile.Target) {
        self.init()
        if target == .card { size = 0.03 }
    }
}
