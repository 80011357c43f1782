import CaptureKit
import SANEBackend

SANEBackend.searchIfAsked(CommandLine.arguments)
BackendProgram.run(name: "SANE scanners", version: "0.1.0", backend: SANEBackend())
