import CaptureKit
import Dispatch
import Glibc

// --- Running a program ---

/// Runs a program with `input` as its standard input, on a thread of its own; nil when it fails.
func run(_ words: [String], input: [UInt8] = []) async throws -> [UInt8]? {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
            continuation.resume(with: Result { try runBlocking(words, input) })
        }
    }
}

private func runBlocking(_ words: [String], _ input: [UInt8]) throws -> [UInt8]? {
    // Files without a name: no pipe can be full, and they are gone when they are closed.
    guard let source = tmpfile(), let sink = tmpfile() else {
        throw CaptureError(.inputOutput, "no temporary file could be made")
    }
    defer {
        fclose(source)
        fclose(sink)
    }
    fwrite(input, 1, input.count, source)
    rewind(source)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, fileno(source), 0)
    posix_spawn_file_actions_adddup2(&actions, fileno(sink), 1)
    var arguments = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var child: pid_t = 0
    guard posix_spawnp(&child, words[0], &actions, nil, &arguments, environ) == 0 else {
        throw CaptureError(
            .unsupported, "the program '\(words[0])' is missing",
            advice: "Install \(words[0] == "djpeg" ? "libjpeg-turbo-progs" : words[0]).")
    }
    var status: Int32 = -1
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { return nil }
    fseek(sink, 0, SEEK_END)
    let count = max(0, ftell(sink))
    rewind(sink)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        filled = fread(buffer.baseAddress, 1, count, sink)
    }
}
