import FoundationEssentials
import Glibc
import Testing

@testable import copystand

/// Tests the rights of programs on the network at `serve`.
@Suite(.serialized) struct AccessProgramTests {
    let home: TemporaryFolder
    init() throws { home = try TemporaryFolder() }

    /// Runs a Python script against a new host; it can use `ask`, `listen`, `command` and the
    /// host's `first` token.
    private func drive(_ script: String, _ more: [String] = ["--token"]) throws -> (
        said: String, log: String
    ) {
        let host = try RunningHost(in: home, more)
        let program = try home.write(
            "drive.py",
            """
            import http.client, http.server, json, os, re, subprocess, sys, threading, time
            port = \(host.port)
            first = None
            while \(more.contains("--token") ? "True" : "False") and not first:
                found = re.search(r"not shown again: (\\w+)", \
                open("\(host.running.folder)/errors").read())
                first = found and found.group(1)
                time.sleep(0.05)
            def ask(method, path, body=None, token=first, headers={}):
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
                given = {"Content-Type": "application/json"} if body is not None else {}
                if token: given["Authorization"] = "Bearer " + token
                connection.request(method, path if path == "/metrics" else "/api/v1" + path,
                                   json.dumps(body) if body is not None else None, {**given, \
                                   **headers})
                answer = connection.getresponse()
                text = answer.read().decode(errors="replace")
                try: told = json.loads(text) if text else None
                except ValueError: told = text
                return answer.status, told, answer
            def listen(path, token=first):
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
                connection.request("GET", "/api/v1" + path, headers={"Authorization": "Bearer " + \
                token})
                answer = connection.getresponse()
                assert answer.status == 200, answer.status
                return answer
            def command(*words):
                return subprocess.run(["\(BuiltProgram.path)", *words], check=True, \
                capture_output=True, text=True).stdout.strip()
            \(script)
            """)
        let driver = try BuiltProgram.spawn("/usr/bin/python3", [program], in: home).wait()
        let log = RunningHost.said(host.running)
        try host.end()
        #expect(driver.status == 0, "\(driver.errors)")
        return (driver.output, log)
    }

    @Test(
        "Events and live views of a token end when another process removes it, though nothing else happens on them"
    )
    func revoked() throws {
        let (said, _) = try drive(
            """
            token = command("token", "add", "tablet")
            order = {"device": "virtual:camera", "profile": "none", "watch": {"manual": True, \
            "stills": "never"}}
            id = ask("POST", "/jobs", order, token)[1]["id"]
            mine = [listen("/events", token), listen(f"/jobs/{id}/live/events", token), \
            listen(f"/jobs/{id}/live", token)]
            others = listen("/events")
            ended = [threading.Event() for _ in mine]
            def read(answer, end):
                # The host may cut a connection in the middle of a part.
                try:
                    while answer.read1(65536): pass
                except (ConnectionError, http.client.HTTPException): pass
                end.set()
            for pair in zip(mine, ended): threading.Thread(target=read, args=pair, \
            daemon=True).start()
            cookie = ask("POST", "/session", {"token": token}, \
            None)[2].getheader("Set-Cookie").split(";")[0]
            print(ask("GET", "/devices", None, None, {"Cookie": cookie})[0])
            command("token", "remove", "tablet")
            print(ask("GET", "/devices", None, token)[0], ask("GET", "/devices", None, None, \
            {"Cookie": cookie})[0])
            # A second is promised; a minute is patience with a busy machine, and less than for \
            ever.
            print([end.wait(60) for end in ended])
            assert others.read1(65536)
            print(ask("POST", f"/jobs/{id}/stop")[0])
            """)
        #expect(said == "200\n401 401\n[True, True, True]\n204\n")
    }

    @Test("A live view answers to the token that began it and to administrators, and to no other")
    func liveViews() throws {
        let (said, _) = try drive(
            """
            tokens = [command("token", "add", name) for name in ("ada", "bob")]
            order = {"device": "virtual:camera", "profile": "none", "watch": {"manual": True, \
            "stills": "never", "region": {"x": 0, "y": 0, "width": 1, "height": 1}}}
            id = ask("POST", "/jobs", order, tokens[0])[1]["id"]
            region = {"x": 0, "y": 0, "width": 0.5, "height": 0.5}
            for token in (tokens[1], tokens[0], first):
                for method, path, body in [("GET", "live/frame", None), ("PUT", "live/region", \
                region), ("POST", "capture", None)]:
                    print(ask(method, f"/jobs/{id}/{path}", body, token)[0], end=" ")
                for path in ("live", "live/events"):
                    try: print(listen(f"/jobs/{id}/{path}", token).status, end=" ")
                    except AssertionError as refusal: print(refusal, end=" ")
                print()
            print(ask("GET", f"/jobs/{id}/live/frame", None, tokens[1])[1]["code"])
            print(ask("POST", f"/jobs/{id}/stop", None, tokens[0])[0])
            """)
        #expect(
            said == """
                404 404 404 404 404 
                200 204 204 200 200 
                200 204 204 200 200 
                no-such-live-view
                204

                """)
    }

    @Test(
        "A scanner's token makes no tokens, and an archive reader's no scans; both learn what they need"
    )
    func scopes() throws {
        let (said, _) = try drive(
            """
            scan, read = command("token", "add", "tablet"), command("token", "add", "guest", \
            "--scope", "read")
            for token in (scan, read, first):
                print(ask("GET", "/session", None, token)[1]["scope"], end=" ")
                for method, path, body in [("POST", "/tokens", {"name": token[:5], "scope": \
                "admin"}), ("DELETE", "/tokens/nobody", None),
                                           ("PUT", "/aliases/desk", {"device": "virtual:feeder"}), \
                                           ("GET", "/devices", None), ("GET", "/documents", None),
                                           ("GET", "/metrics", None)]:
                    print(ask(method, path, body, token)[0], end=" ")
                print()
            print(ask("POST", "/jobs", {}, read)[1]["detail"].split(".")[0])
            print([(one["name"], one["scope"]) for one in json.loads(command("token", "list", \
            "--json"))["tokens"]][:3])
            print(ask("POST", "/tokens", {"name": "x", "scope": "boss"})[1]["code"], ask("POST", \
            "/tokens", {"name": "y"})[1]["scope"])
            """)
        #expect(
            said.split(separator: "\n").map(String.init) == [
                "scan 403 403 403 200 200 403 ", "read 403 403 403 403 200 403 ",
                "admin 201 404 204 200 200 200 ",
                "This needs a token of scope 'scan'; this one has 'read'",
                "[('first', 'admin'), ('tablet', 'scan'), ('guest', 'read')]",
                "invalid-scope scan",
            ])
    }

    @Test("Wrong tokens are slowed and logged, while a right one keeps working")
    func guesses() throws {
        let (said, log) = try drive(
            """
            print(ask("GET", "/documents")[0])
            seen = [ask("GET", "/documents", None, f"wrong{number}")[0] for number in range(30)]
            print(seen[:10] == [401] * 10, 429 in seen[10:])
            for _ in range(1000):
                status, told, answer = ask("GET", "/documents", None, "wrong")
                if status == 429: break
            print(told["code"], 1 <= int(answer.getheader("Retry-After")) <= 5)
            print(ask("GET", "/documents")[0], "refused_total" in ask("GET", "/metrics")[1])
            """)
        #expect(said == "200\nTrue True\ntoo-many-wrong-tokens True\n200 True\n")
        #expect(log.contains("Wrong tokens: 1 since") && log.contains("127.0.0.1"))
    }

    @Test("No option that names a file, and no device that is one, is reached over the network")
    func paths() throws {
        let (said, _) = try drive(
            """
            os.makedirs("\(home.path)/pages", exist_ok=True)
            for device, option in [("virtual:feeder", "folder"), ("virtual:camera", "folder"), \
            ("virtual:camera", "clip")]:
                for value in ["pages", ".", "..", "%2Ftmp", ""]:
                    for path, body in [("/jobs", {"device": device}), (f"/devices/{device}/check", \
                    {})]:
                        status, told, _ = ask("POST", path, {**body, "settings": {option: value}})
                        assert (status, told["code"]) == (422, "host-path"), (path, option, value, \
                        status, told)
            status, told, _ = ask("POST", "/jobs", {"device": "virtual:camera", "watch": {}, \
            "settings": {"clip": "a.y4m"}})
            print(status, told["code"], told["detail"].split(",")[0])
            options = {one["name"]: one for one in ask("GET", \
            "/devices/virtual:camera/options")[1]["options"]}
            print(options["clip"]["hostPath"], "value" in options["clip"], "value" in \
            options["mode"], "hostPath" in options["mode"])
            for device in ["file:/etc/passwd", "file:/etc/missing", "file:pages", \
            "v4l2:/etc/passwd", "v4l2:/dev/null", "sane:net:192.0.2.1:test",
                           "sane:pnm:0", "virtual:/etc"]:
                for path, body in [("/jobs", {"device": device}), ("/previews", {"device": \
                device})]:
                    status, told, _ = ask("POST", path, body)
                    assert (status, told["code"]) == (404, "no-such-device"), (path, device, \
                    status, told)
                    assert "no device is called" in told["detail"], told
            print(len(ask("GET", "/jobs")[1]["jobs"]))
            id = ask("POST", "/jobs", {"device": "virtual:feeder", "profile": "none", "pages": 1, \
            "settings": {"contrast": "10"}})[1]["id"]
            for _ in range(1200):
                state = ask("GET", "/jobs/" + id)[1]["state"]
                if state not in ("running", "waiting"): break
                time.sleep(0.1)
            print(state)
            """, [])
        #expect(
            said.split(separator: "\n").map(String.init) == [
                "422 host-path option 'clip' names a file or folder of the host's machine",
                "True False True False", "0", "completed",
            ])
    }

    @Test("Only administrators see the texts of a sink's service")
    func sinks() throws {
        let (said, _) = try drive(
            """
            class Service(http.server.BaseHTTPRequestHandler):
                def do_POST(self):
                    self.rfile.read(int(self.headers["Content-Length"] or 0))
                    self.do_GET()
                def do_GET(self):
                    self.send_response(403)
                    self.end_headers()
                    self.wfile.write(b"secret of the inner network")
                do_OPTIONS = do_HEAD = do_GET
                def log_message(self, *words): pass
            service = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
            threading.Thread(target=service.serve_forever, daemon=True).start()
            token = command("token", "add", "tablet")
            order = {"name": "inner", "kind": "webhook", "url": \
            f"http://127.0.0.1:{service.server_port}/in"}
            print(ask("POST", "/sinks", order, token)[0], ask("POST", "/sinks", order)[0])
            id = ask("POST", "/jobs", {"device": "virtual:feeder", "profile": "none", "pages": 1, \
            "sinks": ["archive", "inner"]}, token)[1]["id"]
            for _ in range(1200):
                told = ask("GET", "/jobs/" + id, None, token)[1]
                if told["state"] not in ("running", "waiting"): break
                time.sleep(0.1)
            item = ask("GET", "/outbox", None, token)[1]["items"][0]["id"]
            for token in (token, first):
                answers = [ask("POST", "/sinks/inner/test", None, token), ask("GET", "/outbox", \
                None, token), ask("GET", "/sinks", None, token),
                           ask("POST", f"/outbox/{item}/retry", None, token), ask("POST", \
                           "/documents/1/send", {"sinks": ["inner"]}, token)]
                print([("secret" in json.dumps(told), "/in" in json.dumps(told)) for status, told, \
                _ in answers])
                print(answers[0][1]["works"])
            others = [ask("GET", path) for path in ("/jobs", "/jobs/" + id, f"/jobs/{id}/result")]
            print(["secret" in json.dumps(told) for status, told, _ in others])
            """)
        #expect(
            said.split(separator: "\n").map(String.init) == [
                "403 201",
                "[(False, False), (False, False), (False, False), (False, False), (False, False)]",
                "False",
                "[(True, False), (True, False), (False, True), (True, False), (True, False)]",
                "False", "[False, False, False]",
            ])
    }
}
