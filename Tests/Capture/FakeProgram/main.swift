import CaptureKit
import ContractSupport

// The fake as a program of its own, so that the tests see what a real backend's main does.
BackendProgram.run(name: "Fake", version: "1.0", backend: FakeBackend())
