import CaptureKit
import V4L2Backend

BackendProgram.run(name: "Cameras", version: "0.1.0", backend: V4L2Backend())
