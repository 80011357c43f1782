import CaptureKit
import FileImportBackend
import Glibc

// The backend of files, which crashes, hangs or fills its memory when a file's name requests it. So
// tests can cause what decoders of damaged files do by chance.
let backend = FileImportBackend { name in
    if name.hasPrefix("crash") && (!name.contains("later") || name.contains("page 2")) { abort() }
    if name.hasPrefix("hang") { while true { pause() } }
    guard name.hasPrefix("hog") else { return }
    // The host's limit ends this; without a limit, the loop ends soon anyway.
    for _ in 0..<64 {
        guard let memory = malloc(256 << 20) else { abort() }
        memset(memory, 1, 256 << 20)
    }
    abort()
}
BackendProgram.run(name: "Files and folders", version: "0.1.0", backend: backend)
