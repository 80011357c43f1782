import Glibc
import UserFiles

// A process that changes a small file, for tests with several processes and with kill -9. Each
// change adds one line, which the process then prints as acknowledged.
let words = Array(CommandLine.arguments.dropFirst())
guard words.count == 3, let count = Int(words[2]) else {
    print("usage: FILE NAME COUNT")
    exit(2)
}
let file = UserFile(path: words[0], secret: "lines")
for number in 1...count {
    let line = "\(words[1])-\(number)\n"
    do {
        try file.change { bytes in bytes = (bytes ?? []) + Array(line.utf8) }
    } catch {
        print("failed: \((error as? UserFileError)?.message ?? "\(error)")")
        exit(1)
    }
    _ = line.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
}
