import CaptureKit
import Processes

@testable import CaptureHost

extension HostileBackend {
    /// The backends that break the protocol or end during a capture of at most three pages.
    static let framesThatLie: [HostileBackend] = [
        capturing(
            name: "dies in the middle of a page",
            script:
                "c = opened(); page(c, 1); frame(c, 2); send({'event': 'pixels', 'capture': c, 'frame': 2}, b'x' * 400); sys.exit(7)",
            code: .crashed, words: "exited with status 7", end: .status(7), pages: [1]),
        capturing(
            name: "is killed between two pages",
            script: "c = opened(); page(c, 1); page(c, 2); os.kill(os.getpid(), signal.SIGKILL)",
            code: .crashed, words: "signal 9", end: .signal(9), pages: [1, 2]),
        capturing(
            name: "claims a page of 100 MB and sends 2 kB",
            script: """
                c = opened(); frame(c, width=10000, height=10000)
                send({'event': 'pixels', 'capture': c, 'frame': 1}, b'x' * 2000)
                send({'event': 'done', 'capture': c, 'frame': 1, 'rows': 10000}); take()
                """, code: .tornPage, words: "2000 of 100000000 bytes"),
        capturing(
            name: "ends a page early",
            script:
                "c = opened(); frame(c); send({'event': 'done', 'capture': c, 'frame': 1, 'rows': 29}); take()",
            code: .tornPage, words: "29 of 30 rows"),
        capturing(
            name: "announces an impossible stride",
            script: "c = opened(); page(c, 1); frame(c, 2, stride=39)", code: .nonsense,
            words: "stride 39 is below the 40 bytes", pages: [1]),
        capturing(
            name: "announces an overflowing size",
            script: "c = opened(); frame(c, width=9223372036854775807)", code: .nonsense,
            words: "width 9223372036854775807"),
        capturing(
            name: "announces no such format", script: "c = opened(); frame(c, format='cmyk')",
            code: .nonsense, words: "format"),
        capturing(
            name: "sends more bytes than the frame has",
            script:
                "c = opened(); frame(c); send({'event': 'pixels', 'capture': c, 'frame': 1}, b'x' * 1201); take()",
            code: .nonsense, words: "more than the 1200 bytes"),
        capturing(
            name: "sends pixels of a frame that has no buffer",
            script:
                "c = opened(); send({'event': 'pixels', 'capture': c, 'frame': 1}, b'x'); take()",
            code: .nonsense, words: "has no buffer"),
        capturing(
            name: "sends a frame of a capture that does not run",
            script: "c = opened(); frame(c + 1)", code: .nonsense, words: "which is not running"),
        capturing(
            name: "sends pages out of order", script: "c = opened(); frame(c, 5)", code: .nonsense,
            words: "out of order"),
        capturing(
            name: "sends more pages than requested",
            script: "c = opened()\nfor n in range(1, 9): page(c, n)", code: .nonsense,
            words: "one more than requested", pages: [1, 2, 3]),
        capturing(
            name: "skips a page without saying why",
            script: "c = opened(); send({'event': 'skipped', 'capture': c, 'frame': 1}); take()",
            code: .nonsense, words: "without saying why"),
        capturing(
            name: "claims more rows than the frame has",
            script:
                "c = opened('descriptors'); frame(c); send({'event': 'progress', 'capture': c, 'frame': 1, 'rows': 31}); take()",
            code: .nonsense, words: "claims 31 rows"),
        capturing(
            name: "cuts the host's file short",
            script: """
                c = opened('descriptors')
                send({"event": "frame", "capture": c, "frame": 1, "format": "gray8", "width": 40, \
                "height": 30})
                data, fds, _, _ = socket.recv_fds(host, 65536, 4)
                os.ftruncate(fds[0], 10)
                send({'event': 'done', 'capture': c, 'frame': 1, 'rows': 30}); take()
                """, code: .tornPage, words: "10 of 1200 bytes"),
        capturing(
            name: "ends the capture within a page",
            script: "c = opened(); frame(c); send({'answer': c}); take()", code: .tornPage,
            words: "never finished it"),
        capturing(
            name: "hangs in the middle of a page",
            script: "c = opened(); page(c, 1); frame(c, 2)\nwhile True: take()", code: .hung,
            words: "sent nothing for 1.5 s", pages: [1]),
        capturing(
            name: "babbles instead of capturing",
            script: """
                c = opened('descriptors'); frame(c)
                while True: send({'event': 'progress', 'capture': c, 'frame': 1, 'rows': 3}); \
                time.sleep(0.01)
                """, code: .hung, words: "sent nothing for 1.5 s"),
        capturing(
            name: "sends an original of a bad media type",
            script: """
                c = opened(); frame(c)
                send({'event': 'pixels', 'capture': c, 'frame': 1}, b'x' * 1200)
                send({'event': 'done', 'capture': c, 'frame': 1, 'rows': 30, 'mediaType': '../x \
                y'}, b'jpeg'); take()
                """, code: .nonsense, words: "media type"),
        capturing(
            name: "sends garbage behind a page",
            script: "c = opened(); page(c, 1); host.sendall(os.urandom(500) + b'\\n'); take()",
            code: .nonsense, words: "is not a JSON object", pages: [1]),
        capturing(
            name: "announces a frame while another waits",
            script:
                "c = opened(); F = {'event': 'frame', 'capture': c, 'frame': 1, 'format': 'gray8', 'width': 40, 'height': 30}; send(F); send({**F, 'frame': 2}); take(); take()",
            code: .nonsense, words: "announced frame 2 out of order"),
        capturing(
            name: "claims a live frame of 2 GB and sends 2 kB",
            script: """
                c = opened(); frame(c, format='rgb16', width=20000, height=17896)
                send({'event': 'pixels', 'capture': c, 'frame': 1}, b'x' * 2000)
                send({'event': 'done', 'capture': c, 'frame': 1, 'rows': 17896}); take()
                """, code: .tornPage, words: "2000 of 2147520000 bytes", isLive: true),
        capturing(
            name: "announces 1 GB of pixels and sends 2 kB",
            script:
                "c = opened(); frame(c); host.sendall(b'{\"event\":\"pixels\",\"capture\":%d,\"frame\":1,\"bytes\":1073741824}\\n' % c + b'x' * 2000); take()",
            code: .nonsense, words: "sent 1073741824 bytes of pixels"),
        capturing(
            name: "promises an original of 100 MB, sends 2 kB and goes",
            script: """
                c = opened(); frame(c)
                send({'event': 'pixels', 'capture': c, 'frame': 1}, b'x' * 1200)
                host.sendall(b'{"event":"done","capture":%d,"frame":1,"rows":30,"mediaType":"image/jpeg","bytes":100000000}\\n' % c + b'x' * 2000)
                sys.exit(0)
                """, code: .crashed, words: "exited with status 0", end: .status(0)),
        capturing(
            name: "promises an original of 100 MB, sends 2 kB and waits",
            script: """
                c = opened(); frame(c)
                send({'event': 'pixels', 'capture': c, 'frame': 1}, b'x' * 1200)
                host.sendall(b'{"event":"done","capture":%d,"frame":1,"rows":30,"mediaType":"image/jpeg","bytes":100000000}\\n' % c + b'x' * 2000)
                take()
                """, code: .hung, words: "sent nothing for 1.5 s"),
        capturing(
            name: "sends a page that never ends",
            script: """
                c = opened(); frame(c, height=None)
                while True: send({'event': 'pixels', 'capture': c, 'frame': 1}, b'x' * 65536)
                """, code: .nonsense, words: "more than the 2621400 bytes"),
        capturing(
            name: "tells rows of a page that never ends",
            script: """
                c = opened('descriptors'); frame(c, height=None)
                for rows in range(65000, 70000): send({'event': 'progress', 'capture': c, 'frame': \
                1, 'rows': rows})
                take()
                """, code: .nonsense, words: "claims 65536 rows"),
        capturing(
            name: "writes to the host's file without end",
            script: """
                c = opened('descriptors')
                send({"event": "frame", "capture": c, "frame": 1, "format": "gray8", "width": 40})
                data, fds, _, _ = socket.recv_fds(host, 65536, 4)
                os.ftruncate(fds[0], 1 << 42)
                take()
                """, code: .crashed, words: "File too large", end: .status(1)),
        capturing(
            name: "closes its sending half in the middle of a page and stays",
            script:
                "c = opened(); page(c, 1); frame(c, 2); host.shutdown(socket.SHUT_WR); time.sleep(600)",
            code: .crashed, words: "closed its connection", pages: [1]),
        capturing(
            name: "closes the host's descriptor and the connection",
            script: """
                c = opened('descriptors')
                send({"event": "frame", "capture": c, "frame": 1, "format": "gray8", "width": 40, \
                "height": 30})
                data, fds, _, _ = socket.recv_fds(host, 65536, 4)
                os.close(fds[0]); lines.close(); host.close(); os.closerange(3, 10); time.sleep(600)
                """, code: .crashed, words: "closed its connection"),
    ]

    private static func capturing(
        name: String, script: String, code: HostError.Code, words: String, end: ProcessEnd? = nil,
        pages: [Int] = [], isLive: Bool = false
    ) -> HostileBackend {
        HostileBackend(
            name: name, verb: .capture, script: script, code: code, words: words, end: end,
            pages: pages, isLive: isLive)
    }
}
