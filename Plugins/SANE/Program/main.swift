import CaptureKit
import SANEBackend

BackendProgram.run(name: "SANE scanners", version: "0.1.0", backend: SANEBackend())
