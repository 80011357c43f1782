public import Documents

/// Finds the numbers that identify devices, in several readings of the same picture.
///
/// Some characters are easily confused (O 0, I 1, S 5, B 8, Z 2, G 6). The number's form and check
/// digit decide between them if they can, and otherwise the majority of the readings. The other
/// possible numbers become alternatives. If the readings differ, the confidence is lower.
///
///     let found = SerialReader(kinds: [.imei]).read([text, textOfSharpenedPicture])
///     print(found.first?.text ?? "no serial number found")
public struct SerialReader: Sendable {
    /// A person should check a number with less confidence than this.
    public static let certain = 0.8

    /// The factor for the confidence in a number without a check digit and without a label, whose
    /// beginning may be missing.
    private static let unlabeled = 0.85

    private let kinds: [SerialKind]
    private let own: SerialKind.Form?

    /// A reader for some kinds of numbers.
    ///
    /// - Parameters:
    ///   - kinds: the kinds; all but a user's pattern unless given.
    ///   - pattern: the form of the numbers; with it, `kinds` are ignored.
    ///   - check: the rule for the last character of numbers of that pattern.
    public init(
        kinds: [SerialKind] = SerialKind.allCases, pattern: SerialPattern? = nil,
        check: CheckDigit = .none
    ) {
        self.kinds = pattern == nil ? kinds : [.own]
        own = pattern.map {
            SerialKind.Form(pattern: $0, check: check, lengths: 2...LetterLattice.longest)
        }
    }

    /// The numbers, with the most likely first; empty when there is none.
    ///
    /// - Parameters:
    ///   - readings: readings of one picture after different processing, with boxes in the same
    ///     pixels.
    ///   - codes: readings of the number alone, by a reader that expects no words; each counts as
    ///     much as three others.
    ///   - signs: readings of the number character by character, which decide if there are any.
    public func read(
        _ readings: [PageText], codes: [PageText] = [], signs: [SignReading] = []
    ) -> [FoundSerial] {
        let texts = readings + codes
        let weights = SerialVote.Weights(
            plain: readings.count, codes: codes.count, signs: signs.count)
        let labels = texts.flatMap(SerialToken.labels)
        let tokens = Self.labeled(
            texts.enumerated().flatMap { SerialToken.all(in: $1, reading: $0) }
                + signs.enumerated().flatMap {
                    SerialToken.all(in: $1, behind: labels, reading: texts.count + $0)
                })
        let isOnly = kinds.count == 1
        var ranked: [(serial: FoundSerial, rank: Double)] = []
        for kind in kinds {
            for form in own.map({ [$0] }) ?? kind.forms {
                let fitting = tokens.filter { fits($0, kind, form, isOnly: isOnly) }
                for group in Self.groups(fitting) {
                    guard var found = SerialVote(group, weights, kind: kind, form: form).serial
                    else { continue }
                    if kind == .apple, !group.contains(where: { !$0.labels.isEmpty }) {
                        found.confidence *= Self.unlabeled
                    }
                    ranked.append((found, found.confidence * weight(kind, group)))
                }
            }
        }
        ranked.sort { ($0.rank, $1.serial.text) > ($1.rank, $0.serial.text) }
        var result: [FoundSerial] = []
        for (serial, _) in ranked {
            let isThere = result.contains {
                $0.text == serial.text || $0.box.covers(serial.box) >= 0.4
                    || serial.box.covers($0.box) >= 0.4
            }
            if !isThere { result.append(serial) }
        }
        return result
    }

    /// The place of the likeliest number, or else of the text after a number's label; nil for none.
    public func place(in readings: [PageText], codes: [PageText] = []) -> Box? {
        if let first = read(readings, codes: codes).first { return first.box }
        let tokens = readings.enumerated().flatMap { SerialToken.all(in: $1, reading: $0) }
        return tokens.filter { !$0.isOther && !$0.labels.isDisjoint(with: Set(kinds)) }
            .max { $0.letters.count < $1.letters.count }?.box
    }

    /// The likeliest place of a number, only from readings of all rows character by character; nil
    /// for none.
    public func place(in rows: [SignReading]) -> Box? { read([], signs: rows).first?.box }

    /// The tokens, each with the labels of the others at its place: a number that was read alone
    /// has none.
    private static func labeled(_ tokens: [SerialToken]) -> [SerialToken] {
        let known = tokens.filter { !$0.labels.isEmpty || $0.isOther }
        return tokens.map { token in
            guard token.labels.isEmpty, !token.isOther else { return token }
            let same = known.filter {
                $0.box.covers(token.box) >= 0.6 && token.box.covers($0.box) >= 0.6
            }
            var token = token
            token.labels = same.reduce(into: []) { $0.formUnion($1.labels) }
            token.isOther = token.labels.isEmpty && same.contains { $0.isOther }
            return token
        }
    }

    /// True if a token may be such a number, before its characters are examined.
    private func fits(
        _ token: SerialToken, _ kind: SerialKind, _ form: SerialKind.Form, isOnly: Bool
    ) -> Bool {
        guard form.lengths.contains(token.letters.count) else { return false }
        let digits = token.letters.count(where: \.isNumber)
        let isLabeled = token.labels.contains(kind)
        if token.isOther, !isLabeled { return false }
        // A number after "IMEI" is not an article's number.
        if !token.labels.isEmpty, !isLabeled, !isOnly { return false }
        switch kind {
        case .imei: return digits >= 10 && !token.labels.contains(.imei2)
        case .imei2: return digits >= 10 && isLabeled
        case .ean, .isbn:
            return digits * 4 >= token.letters.count * 3
                && (form.check != .isbn10 || isLabeled || isOnly)
                && (token.letters.count != 8 || isLabeled || isOnly)
        case .mac: return token.separators >= 5 || isLabeled
        case .labeled: return isLabeled && token.words == 1 && digits >= 1
        case .apple:
            // A word of ordinary text has no digits.
            return (isLabeled || digits >= (isOnly ? 1 : 2))
                && (token.words == 1 || token.words <= 4 && (isLabeled || isOnly))
                && token.letters.contains(where: \.isLetter)
        case .own:
            return PatternSearch.best(LetterLattice([(token.chances, 1)]), form.pattern, count: 1)
                .first.map { $0.cost < 2.5 * Double(token.letters.count) } ?? false
        }
    }

    /// The weight of a kind of number, compared with others at the same place.
    private func weight(_ kind: SerialKind, _ group: [SerialToken]) -> Double {
        if group.contains(where: { $0.labels.contains(kind) }) {
            return kind == .labeled ? 0.75 : 1
        }
        switch kind {
        case .imei, .imei2, .own: return 0.95
        case .mac: return 0.95
        case .isbn: return 0.9
        case .ean: return 0.8
        case .apple, .labeled: return 0.6
        }
    }

    /// Groups the tokens by their place in the picture.
    private static func groups(_ tokens: [SerialToken]) -> [[SerialToken]] {
        var groups: [[SerialToken]] = []
        for token in tokens.sorted(by: { $0.confidence > $1.confidence }) {
            let index = groups.firstIndex { group in
                group[0].box.covers(token.box) >= 0.5 && token.box.covers(group[0].box) >= 0.5
            }
            if let index {
                groups[index].append(token)
            } else {
                groups.append([token])
            }
        }
        return groups
    }
}

extension Box {
    /// The fraction of another box that this one covers, 0…1.
    fileprivate func covers(_ other: Box) -> Double {
        let width = max(0, min(right, other.right) - max(x, other.x))
        let height = max(0, min(bottom, other.bottom) - max(y, other.y))
        return Double(width * height) / Double(max(1, other.width * other.height))
    }
}
