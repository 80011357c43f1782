import CaptureKit
import FileImportBackend

ProcessMemory.limit()
BackendProgram.run(name: "Files and folders", version: "0.1.0", backend: FileImportBackend())
