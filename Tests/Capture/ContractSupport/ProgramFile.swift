import Glibc

/// Makes a program at `path` in a separate process.
///
/// A child that another test starts at that moment would keep a file open that this process writes,
/// and the kernel refuses to run a file that is open for writing (ETXTBSY).
public func placeProgram(_ text: String, at path: String) throws {
    let draft = try TemporaryFolder()
    guard let file = fopen(draft.file("draft"), "we") else {
        throw ContractViolation("\(draft.path) can't be written: error \(errno)")
    }
    fputs(text, file)
    fclose(file)
    let copy = popen("install -m 755 '\(draft.file("draft"))' '\(path)'", "re")
    guard let copy, pclose(copy) == 0 else {
        throw ContractViolation("\(path) can't be installed")
    }
}
