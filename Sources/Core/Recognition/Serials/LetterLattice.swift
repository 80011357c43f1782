import Glibc

/// The possible characters at each place of a number with their probabilities, from several
/// readings and from known confusions.
struct LetterLattice {
    /// The maximum number of characters of a number.
    static let longest = 40

    /// The characters at each place with their cost: minus the natural logarithm of the
    /// probability.
    let places: [[Character: Double]]

    /// A lattice of readings with the same number of characters; each has possible characters and a
    /// weight.
    ///
    /// - Parameter readings: the readings; at least one, none longer than ``longest``.
    init(_ readings: [(chances: [[Character: Double]], weight: Double)]) {
        let length = readings.map(\.chances.count).min() ?? 0
        let sum = readings.reduce(0) { $0 + $1.weight }
        places = (0..<length).map { place in
            var chances: [Character: Double] = [:]
            for (signs, weight) in readings {
                for (letter, chance) in signs[place] {
                    chances[letter, default: 0] += chance * weight / max(sum, 1e-9)
                }
            }
            return chances.mapValues { -log(max($0, 1e-12)) }
        }
    }

    /// The possible characters for a character that a text reader has read.
    static func spread(_ read: Character) -> [Character: Double] {
        let known = confusions[read] ?? []
        let rest = 1 - known.reduce(0) { $0 + $1.1 }
        let own = read.uppercased().first ?? read
        return Dictionary([(own, max(rest, 0.02))] + known, uniquingKeysWith: +)
    }

    /// The probability that a character was misread.
    private static let confusions: [Character: [(Character, Double)]] = {
        var table: [Character: [(Character, Double)]] = [:]
        func add(_ read: Character, _ others: [(Character, Double)]) {
            table[read, default: []] += others
        }
        func both(_ one: Character, _ other: Character, _ chance: Double) {
            add(one, [(other, chance)])
            add(other, [(one, chance)])
        }
        both("O", "0", 0.15)
        both("I", "1", 0.12)
        for (one, other) in [("S", "5"), ("B", "8"), ("Z", "2"), ("G", "6")] {
            both(Character(one), Character(other), 0.04)
        }
        both("D", "0", 0.02)
        both("Q", "0", 0.03)
        both("Q", "O", 0.01)
        both("D", "O", 0.01)
        for pair in [
            "C G", "1 7", "T 7", "1 L", "1 T", "1 J", "4 A", "3 8", "6 8", "3 B", "5 6", "0 8",
            "0 6", "9 8", "3 5",
            "0 C", "U V", "V Y", "E F", "P R", "M N", "H N", "K X", "U 0", "9 0", "5 8", "7 Z",
            "2 7", "8 S", "9 4",
            "E B", "R B", "W V", "4 1", "0 9", "H M", "F P", "J 3", "U J", "N W",
        ] {
            let letters = Array(pair)
            both(letters[0], letters[2], 0.006)
        }
        // Small letters and other characters stand for the capital or digit with the same shape.
        add("l", [("1", 0.7), ("I", 0.2), ("L", 0.1)])
        add("i", [("1", 0.6), ("I", 0.4)])
        add("|", [("1", 0.7), ("I", 0.3)])
        add("!", [("1", 0.7), ("I", 0.3)])
        add("]", [("1", 0.7), ("J", 0.2)])
        add("o", [("0", 0.6), ("O", 0.4)])
        add("s", [("S", 0.6), ("5", 0.4)])
        add("z", [("Z", 0.6), ("2", 0.4)])
        add("b", [("6", 0.7), ("B", 0.2), ("8", 0.1)])
        add("q", [("9", 0.9), ("Q", 0.1)])
        add("g", [("9", 0.8), ("G", 0.2)])
        add("$", [("S", 0.7), ("5", 0.3)])
        add("§", [("S", 0.4), ("5", 0.4), ("8", 0.2)])
        add("&", [("8", 1)])
        add("€", [("E", 0.5), ("6", 0.3), ("C", 0.2)])
        add("£", [("E", 0.5), ("F", 0.5)])
        add("?", [("7", 0.8), ("2", 0.2)])
        add("t", [("T", 0.5), ("1", 0.5)])
        add("a", [("A", 0.7), ("4", 0.3)])
        add("Ø", [("0", 0.9), ("O", 0.1)])
        add("©", [("0", 0.5), ("C", 0.3), ("G", 0.2)])
        add("®", [("0", 0.4), ("R", 0.3), ("8", 0.3)])
        return table
    }()
}
