import CaptureKit
import Testing

@testable import V4L2Backend

/// The parts of a stream that need no camera.
@Suite struct StateTests {
    private func frame(_ index: Int) -> FilledBuffer {
        FilledBuffer(index: index, bytes: 0..<1, time: nil, sequence: UInt32(index))
    }

    /// Waits for a frame from `state` and returns its index; `then` runs during the wait.
    private func waited(
        _ state: inout StreamState, _ then: (inout StreamState) -> StreamState.Step
    ) async throws -> Int {
        var copy = state
        let result = try await withCheckedThrowingContinuation { continuation in
            #expect(copy.request(continuation) == nil)
            guard case .deliver(let waiting, let frame) = then(&copy) else {
                return continuation.resume(throwing: CancellationError())
            }
            waiting.resume(returning: frame)
        }
        state = copy
        return result.index
    }

    @Test("A frame goes to the waiting task, and a newer one replaces an unread one")
    func newest() async throws {
        var state = StreamState()
        #expect(try await waited(&state) { $0.arrived(frame(1)) } == 1)
        #expect(state.kept == [1])
        guard case .none = state.arrived(frame(2)) else {
            Issue.record("frame 2 had nothing to replace")
            return
        }
        #expect(state.kept == [1, 2])
        guard case .recycle(let old) = state.arrived(frame(3)) else {
            Issue.record("frame 2 was not given back")
            return
        }
        #expect(old.index == 2)
        state.returned(frame(1))
        #expect(state.kept == [3])
    }

    @Test(
        "Frames before a failure come first, and a stopped stream gives none")
    func failure() async throws {
        var state = StreamState()
        _ = state.arrived(frame(5))
        #expect(state.failed(CameraFault.gone("x")) == nil)
        let kept = state
        let first = try await withCheckedThrowingContinuation { continuation in
            var copy = kept
            guard let result = copy.request(continuation) else {
                return continuation.resume(throwing: CancellationError())
            }
            continuation.resume(with: result)
        }
        #expect(first.index == 5)
        var empty = StreamState()
        _ = empty.failed(CameraFault.gone("x"))
        _ = empty.failed(CameraFault.busy("y"))
        let failed = empty
        await #expect {
            _ = try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<FilledBuffer, any Error>) in
                var copy = failed
                continuation.resume(
                    with: copy.request(continuation) ?? .failure(CancellationError()))
            }
        } throws: { error in
            (error as? CaptureError)?.code == .offline
        }
    }

    @Test("Patience starts over with every good frame, and is longer before the first")
    func patience() {
        let start = ContinuousClock.now
        var watch = StreamWatch(
            patience: CameraStream.Patience(first: .seconds(8), next: .seconds(3)), now: start)
        #expect(watch.left(start + .seconds(7)) == .seconds(1))
        watch.damaged = 4
        watch.good(start + .seconds(7), hasEnd: false)
        #expect(watch.damaged == 0)
        #expect(watch.left(start + .seconds(9)) == .seconds(1))
        #expect(watch.left(start + .seconds(11)) < .zero)
        #expect(!watch.isEndKnown)
        watch.good(start + .seconds(8), hasEnd: true)
        #expect(watch.isEndKnown)
    }

    @Test("A silent camera and one with only damaged frames have different messages")
    func sentences() {
        let silent = CameraFault.stalled("Doc", after: .seconds(3), damaged: 0)
        #expect(silent.message == "The camera 'Doc' has sent no frame for 3 s")
        let rubbish = CameraFault.stalled("Doc", after: .seconds(3), damaged: 7)
        #expect(rubbish.message.contains("7"))
        #expect(silent.code == rubbish.code)
    }

    @Test(
        "Makers' names that occur twice in a name are shown once",
        arguments: [
            ("USB Camera: USB Camera", "USB Camera"),
            ("Integrated Camera: Integrated C", "Integrated Camera"),
            ("HD Pro Webcam C920", "HD Pro Webcam C920"), ("A: B", "A: B"), ("", ""), (": ", ": "),
        ])
    func names(_ card: String, _ expected: String) {
        #expect(CameraNode.cleaned(card) == expected)
    }

    @Test("New and removed devices are reported by id; a changed state is not")
    func difference() {
        func device(_ id: String, _ state: DeviceState = .ready) -> DeviceDescriptor {
            DeviceDescriptor(id: id, name: id, kind: .camera, state: state)
        }
        let changes = HotPlug.difference(
            [device("a"), device("b"), device("c")],
            [device("b", .busy), device("d"), device("c")])
        #expect(changes == [.removed("a"), .added(device("d"))])
    }
}
