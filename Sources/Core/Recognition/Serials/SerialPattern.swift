/// The form of a number: a small regular expression, matched against all letters that were possibly
/// read.
///
/// It may have letters and digits, `.` for any of them, `\d`, `\w`, classes such as `[A-HJ-N0-9]`
/// and `[^IO]`, groups, `|`, `?`, `*`, `+`, `{4}`, `{2,6}`. Capitals stand for lowercase letters
/// too. It always matches the whole number; `^` and `$` are allowed and have no effect. The time
/// grows with the number's length times the pattern's, for every pattern.
public struct SerialPattern: Hashable, Sendable {
    /// The pattern as it was written.
    public let text: String
    /// The steps of the automaton that matches.
    let steps: [Step]

    /// A step that accepts a letter, or continues without one.
    enum Step: Hashable, Sendable {
        case match(Set<Character>)
        /// Continues at both places, given as distances from this step.
        case split(Int, Int)
        case jump(Int)
        case accept
    }

    /// The reason why a text is not a pattern.
    public struct Failure: Error, Hashable, Sendable {
        /// The error, its place, and the allowed values.
        public let message: String
    }

    /// The maximum number of characters in a pattern.
    public static let longest = 200
    /// The maximum number of steps, after repeating parts such as `{2,6}`.
    private static let mostSteps = 2_000
    /// The letters that may be in a number.
    static let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")

    /// Reads a pattern.
    ///
    /// - Throws: ``Failure`` with the place of the mistake.
    public init(_ text: String) throws(Failure) {
        guard text.count <= Self.longest else {
            throw Failure(
                message:
                    "The pattern has \(text.count) characters; at most \(Self.longest) are allowed."
            )
        }
        var parser = Parser(Array(text))
        let steps = try parser.all() + [.accept]
        guard steps.count <= Self.mostSteps else {
            throw Failure(
                message:
                    "The pattern '\(text)' is too long when expanded; lower the numbers in braces.")
        }
        self.text = text
        self.steps = steps
    }

    private struct Parser {
        let letters: [Character]
        var place = 0

        init(_ letters: [Character]) { self.letters = letters }

        private var next: Character? { place < letters.count ? letters[place] : nil }

        private func failure(_ reason: String) -> Failure {
            Failure(
                message:
                    "The pattern '\(String(letters))' is wrong at character \(place + 1): \(reason)."
            )
        }

        mutating func all() throws(Failure) -> [Step] {
            let steps = try choice(depth: 0)
            guard next == nil else { throw failure("this ')' has no '('") }
            return steps
        }

        private mutating func choice(depth: Int) throws(Failure) -> [Step] {
            guard depth < 20 else { throw failure("groups may be nested at most 20 deep") }
            var left = try sequence(depth)
            while next == "|" {
                place += 1
                let right = try sequence(depth)
                left =
                    [.split(1, left.count + 2)] + left + [.jump(right.count + 1)] + right
                try checkSize(left)
            }
            return left
        }

        private mutating func sequence(_ depth: Int) throws(Failure) -> [Step] {
            var steps: [Step] = []
            while let letter = next, letter != "|", letter != ")" {
                if letter == "^" && place == 0 || letter == "$" && place == letters.count - 1 {
                    place += 1
                    continue
                }
                steps += try repeated(try atom(depth))
                try checkSize(steps)
            }
            return steps
        }

        private func checkSize(_ steps: [Step]) throws(Failure) {
            if steps.count > SerialPattern.mostSteps {
                throw failure("it is too long when expanded; lower the numbers in braces")
            }
        }

        private mutating func atom(_ depth: Int) throws(Failure) -> [Step] {
            let letter = letters[place]
            place += 1
            switch letter {
            case "(":
                if next == "?", place + 1 < letters.count, letters[place + 1] == ":" { place += 2 }
                let steps = try choice(depth: depth + 1)
                guard next == ")" else { throw failure("a ')' is missing") }
                place += 1
                return steps
            case "[": return [.match(try set())]
            case ".": return [.match(SerialPattern.alphabet)]
            case "\\": return [.match(try escape())]
            case "*", "+", "?", "{", "}", "]", "^", "$":
                place -= 1
                throw failure(
                    "'\(letter)' is not allowed here; write '\\\(letter)' for the character itself")
            default: return [.match(Self.sets(letter))]
            }
        }

        private static func sets(_ letter: Character) -> Set<Character> {
            Set(letter.uppercased().prefix(1))
        }

        private mutating func escape() throws(Failure) -> Set<Character> {
            guard let letter = next else { throw failure("nothing follows its last '\\'") }
            place += 1
            switch letter {
            case "d": return Set("0123456789")
            case "w": return SerialPattern.alphabet
            case _ where letter.isLetter || letter.isNumber:
                throw failure("'\\\(letter)' is unknown; only \\d and \\w are allowed")
            default: return [letter]
            }
        }

        private mutating func set() throws(Failure) -> Set<Character> {
            let isInverted = next == "^"
            if isInverted { place += 1 }
            var members: Set<Character> = []
            while let letter = next, letter != "]" {
                place += 1
                if letter == "\\" {
                    members.formUnion(try escape())
                } else if next == "-", place + 1 < letters.count, letters[place + 1] != "]" {
                    let (first, last) = (letter.asciiValue, letters[place + 1].asciiValue)
                    guard let first, let last, first <= last else {
                        throw failure("'\(letter)-\(letters[place + 1])' is not a range")
                    }
                    place += 2
                    for value in first...last {
                        members.formUnion(Self.sets(Character(Unicode.Scalar(value))))
                    }
                } else {
                    members.formUnion(Self.sets(letter))
                }
            }
            guard next == "]" else { throw failure("a ']' is missing") }
            place += 1
            let set = isInverted ? SerialPattern.alphabet.subtracting(members) : members
            guard !set.isEmpty else { throw failure("no letter is left between the brackets") }
            return set
        }

        private mutating func repeated(_ atom: [Step]) throws(Failure) -> [Step] {
            switch next {
            case "?":
                place += 1
                return [.split(1, atom.count + 1)] + atom
            case "*":
                place += 1
                return [.split(1, atom.count + 2)] + atom + [.jump(-atom.count - 1)]
            case "+":
                place += 1
                return atom + [.split(-atom.count, 1)]
            case "{": return try counted(atom)
            default: return atom
            }
        }

        private mutating func counted(_ atom: [Step]) throws(Failure) -> [Step] {
            let end = letters[place...].firstIndex(of: "}")
            let inside = end.map { String(letters[place + 1..<$0]) } ?? ""
            let parts = inside.split(separator: ",", omittingEmptySubsequences: false)
            let numbers = parts.compactMap { Int($0) }
            guard let end, (1...2).contains(parts.count), numbers.count == parts.count,
                numbers.allSatisfy({ (0...LetterLattice.longest).contains($0) }),
                numbers[0] <= numbers[numbers.count - 1], numbers[numbers.count - 1] > 0
            else {
                throw failure(
                    "braces hold one number or two, such as {4} or {2,6}, up to \(LetterLattice.longest)"
                )
            }
            place = end + 1
            var steps: [Step] = []
            for count in 1...numbers[numbers.count - 1] {
                steps += count <= numbers[0] ? atom : [.split(1, atom.count + 1)] + atom
                try checkSize(steps)
            }
            return steps
        }
    }
}
