import Testing

extension Trait where Self == ConditionTrait {
    /// Tests that need these programs; they are skipped if any is missing, and name it.
    static func needs(_ programs: String...) -> Self {
        let missing = programs.filter { !SharingHost.isThere($0) }
        return .enabled(if: missing.isEmpty, "needs \(missing.joined(separator: ", "))")
    }
}

extension BuiltProgram.Outcome {
    /// Skips the test, or the test case, if a script ended with exit code 77.
    ///
    /// Scripts end so where what they test can't be tried. The reason is the last line of their
    /// errors, after `skipped: ` if that is there.
    func skipIfNotTried(_ location: SourceLocation = #_sourceLocation) throws {
        guard status == 77 else { return }
        let line = errors.split(separator: "\n").last ?? "The script gave no reason."
        let reason = line.firstRange(of: "skipped: ").map { line[$0.upperBound...] } ?? line
        try Test.cancel(Comment(rawValue: String(reason)), sourceLocation: location)
    }
}
