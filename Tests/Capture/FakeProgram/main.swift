import CaptureKit
import ContractSupport

// The fake backend as a program, so that tests cover the main function of a real backend.
BackendProgram.run(name: "Fake", version: "1.0", backend: FakeBackend())
