import CaptureKit

// --- The program ---

BackendProgram.run(name: "Network cameras", version: "1.0", backend: Cameras())
