import CaptureKit
import Processes

@testable import CaptureHost

extension HostileBackend {
    /// The backends whose messages break the protocol in the answer to `devices`.
    static let lies: [HostileBackend] = [
        lie(
            "exits with status 3", "take(); print('no firmware', file=sys.stderr); sys.exit(3)",
            .crashed, "exited with status 3; its last output: no firmware", .status(3)),
        lie(
            "sends garbage", "take(); host.sendall(os.urandom(500) + b'\\n'); take()", .nonsense,
            "is not a JSON object"),
        lie(
            "sends a line without an end", "take(); host.sendall(b'x' * (3 << 20)); take()",
            .nonsense, "longer than 1048576 bytes"),
        lie(
            "nests half a million arrays",
            "take(); host.sendall(b'[' * 500000 + b'\\n'); take()", .nonsense,
            "is not a JSON object"),
        lie(
            "speaks a newer protocol",
            "answer(take(), protocol=2, name='new', version='9'); take()", .newerProtocol,
            "speaks protocol 2, this host speaks 1"),
        lie(
            "answers hello with something else", "answer(take(), color='red'); take()",
            .nonsense, "lacks \"protocol\""),
        lie(
            "answers without a request", "take(); send({'answer': 99}); take()", .nonsense,
            "answered request 99"),
        lie(
            "sends a request", "take(); send({'request': 1, 'verb': 'hello'}); take()", .nonsense,
            "only the host may"),
        lie(
            "announces 2 GB after a line and sends 2 kB",
            "take(); host.sendall(b'{\"event\":\"log\",\"message\":\"m\",\"bytes\":2147483648}\\n' + b'x' * 2000); take()",
            .nonsense, "announces 2147483648 bytes"),
        lie(
            "announces a negative number of bytes",
            "take(); send({'event': 'log', 'message': 'm', 'bytes': -1}); take()", .nonsense,
            "announces -1 bytes"),
        lie(
            "goes away within a line", "take(); host.sendall(b'{\"answ'); sys.exit(0)", .crashed,
            "exited with status 0", .status(0)),
        lie(
            "closes the connection and stays",
            "lines.close(); host.close(); os.close(3) if os.path.exists('/proc/self/fd/3') else 0; time.sleep(600)",
            .crashed, "closed its connection"),
        lie(
            "lists a device twice", "hello(); answer(take(), devices=[DEVICE, DEVICE]); take()",
            .nonsense, "appears twice"),
        lie(
            "lists a device with a control character",
            "hello(); answer(take(), devices=[{**DEVICE, 'name': 'a\\u001b[2J'}]); take()",
            .nonsense, "control characters"),
        lie(
            "answers with an error without a message",
            "hello(); send({'answer': take()['request'], 'error': {'code': 'busy'}}); take()",
            .nonsense, "lacks \"error.message\""),
        lie(
            "sends a frame before hello is answered",
            "take(); send({'event': 'frame', 'capture': 1, 'frame': 1, 'format': 'gray8', 'width': 40, 'height': 30}); take()",
            .nonsense, "sent 'frame' for capture 1, which is not running"),
        lie(
            "sends a frame before one was asked for",
            "hello(); take(); send({'event': 'frame', 'capture': 3, 'frame': 1, 'format': 'gray8', 'width': 40, 'height': 30}); take()",
            .nonsense, "sent 'frame' for capture 3, which is not running"),
    ]

    private static func lie(
        _ name: String, _ script: String, _ code: HostError.Code, _ words: String,
        _ end: ProcessEnd? = nil
    ) -> HostileBackend {
        HostileBackend(
            name: name, verb: .devices, script: script, code: code, words: words, end: end)
    }
}
