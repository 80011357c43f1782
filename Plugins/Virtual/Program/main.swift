import CaptureKit
import VirtualBackend

BackendProgram.run(name: "Virtual devices", version: "0.1.0", backend: VirtualBackend())
