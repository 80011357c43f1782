import CaptureKit
import ContractSupport

// The fake backend as a program, so that the tests include a real backend's main.
BackendProgram.run(name: "Fake", version: "1.0", backend: FakeBackend())
