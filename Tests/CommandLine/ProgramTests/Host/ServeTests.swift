import FoundationEssentials
import Glibc
import Testing

@testable import copystand

/// Tests `serve` from the side of a client program, with Python's HTTP client.
@Suite(.serialized) struct ServeCommandTests {
    let home: TemporaryFolder
    init() throws { home = try TemporaryFolder() }

    /// Runs a Python script, which can call `ask` and `job`, with a host that only this test uses.
    private func drive(_ script: String, stop: Int32 = SIGINT) throws -> (
        said: String, host: BuiltProgram.Outcome
    ) {
        let host = try BuiltProgram.spawn(
            BuiltProgram.path, ["serve", "--listen", "127.0.0.1:0"], in: home,
            environment: ["COPYSTAND_SPOOL": home.path + "/spool"])
        let program = try home.write(
            "drive.py",
            """
            import http.client, json, re, sys, time
            # The host says where it listens as soon as it does; half a minute at most, which only \
            a fault takes.
            for _ in range(300):
                found = re.search(r"http://127.0.0.1:(\\d+)", open(sys.argv[1]).read())
                if found: break
                time.sleep(0.1)
            port = int(found.group(1))
            def ask(method, path, body=None, headers={}):
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
                given = {"Content-Type": "application/json"} if body is not None else {}
                connection.request(method, path, json.dumps(body) if body is not None else None, \
                {**given, **headers})
                answer = connection.getresponse()
                text = answer.read().decode()
                return answer.status, json.loads(text) if text else None, dict(answer.getheaders())
            def job(id, *states):
                for _ in range(1200):
                    status, told, _ = ask("GET", "/api/v1/jobs/" + id)
                    if told["state"] in states: return told
                    time.sleep(0.1)
            \(script)
            """)
        let driver = try BuiltProgram.spawn(
            "/usr/bin/python3", [program, host.folder + "/errors"], in: home
        ).wait()
        kill(host.process, stop)
        let outcome = try host.wait()
        #expect(driver.status == 0, "\(driver.errors)")
        return (driver.output, outcome)
    }

    @Test("A scan is begun, followed to its end, and found by a word in it")
    func scan() throws {
        let (said, host) = try drive(
            """
            status, told, headers = ask("POST", "/api/v1/jobs", {"device": "virtual:feeder", \
            "pages": 2, "title": "From afar"})
            assert status == 202 and headers["Location"] == "/api/v1/jobs/" + told["id"], told
            done = job(told["id"], "completed", "failed", "stopped")
            print(done["state"], len(done["pages"]), done["deliveries"][0]["sink"], \
            done["deliveries"][0]["document"])
            """)
        #expect(said == "completed 2 archive 1\n")
        #expect(host.status == 0, "\(host.errors)")
        let found = try BuiltProgram.run(["list", "--json"], in: home)
        #expect(found.output.contains("From afar"))
    }

    @Test("Errors in an order are reported before anything is captured")
    func refused() throws {
        let (said, _) = try drive(
            """
            for body in [{"device": "virtual:feedr"}, {"profile": "documnt", "device": \
            "virtual:feeder"}, {"pages": 0},
                         {"device": "virtual:feeder", "sinks": []}, {"device": "virtual:feeder", \
                         "sinks": ["exec:/bin/sh"]},
                         {"device": "file:/etc/passwd"}, {"pages": "two"}, {"uploads": []}, \
                         {"uploads": ["../x"]},
                         {"uploads": ["x"], "device": "virtual:feeder"},
                         {"device": "virtual:camera", "settings": {"clip": "/etc/passwd"}}]:
                status, told, _ = ask("POST", "/api/v1/jobs", body)
                print(status, told["code"], "/tmp/" in told["detail"])
            print(len(ask("GET", "/api/v1/jobs")[1]["jobs"]))
            """)
        #expect(
            said.split(separator: "\n").map(String.init) == [
                "404 no-such-device False", "404 no-such-profile False", "400 invalid False",
                "400 invalid False",
                "404 no-such-sink False", "404 no-such-device False", "400 invalid False",
                "400 invalid False", "404 no-such-upload False", "400 invalid False",
                "400 invalid False", "0",
            ])
    }

    @Test(
        "A host that is stopped delivers the captured pages", arguments: [SIGINT, SIGTERM])
    func stops(_ signal: Int32) throws {
        let (said, host) = try drive(
            """
            status, told, _ = ask("POST", "/api/v1/jobs", {"device": "virtual:feeder", "profile": \
            "none"})
            for _ in range(600):
                if any(page["stage"] == "finished" for page in ask("GET", "/api/v1/jobs/" + \
                told["id"])[1]["pages"]): break
                time.sleep(0.05)
            print("begun")
            """, stop: signal)
        #expect(said == "begun\n")
        #expect(host.status == 0, "\(host.errors)")
        #expect(try BuiltProgram.run(["list"], in: home).output.contains("Scan of"))
        let jobs = try BuiltProgram.run(
            ["jobs"], in: home, environment: ["COPYSTAND_SPOOL": home.path + "/spool"])
        #expect(jobs.status == 0 && !jobs.output.contains("running"))
    }

    @Test(
        "A camera is watched with picture, events, a page by hand, and a document at the end")
    func watched() throws {
        let (said, _) = try drive(
            """
            def fetch(path):
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
                connection.request("GET", "/api/v1/jobs/" + path)
                return connection.getresponse()
            for order in [{"device": "virtual:feeder", "watch": {}}, {"device": "virtual:camera", \
            "watch": {"idle": 0}},
                          {"device": "virtual:camera", "watch": {"stills": "some"}}]:
                print(ask("POST", "/api/v1/jobs", order)[0], end=" ")
            order = {"device": "virtual:camera", "profile": "none", "watch": {"manual": True, \
            "stills": "never"}}
            id = ask("POST", "/api/v1/jobs", order)[1]["id"]
            frame = fetch(id + "/live/frame")
            picture = frame.read()
            print(frame.status, frame.getheader("Content-Type"), picture[:2] == b"\\xff\\xd8" and \
            picture[-2:] == b"\\xff\\xd9")
            film = fetch(id + "/live")
            for _ in range(3):
                head = {}
                while True:
                    line = film.readline().strip()
                    if not line and "Content-Length" in head: break
                    name, _, value = line.decode("latin-1").partition(": ")
                    head[name] = value
                part = film.read(int(head["Content-Length"]))
                assert part[:2] == b"\\xff\\xd8" and part[-2:] == b"\\xff\\xd9", part[:20]
            print(film.getheader("Content-Type"), head["Content-Type"])
            events = fetch(id + "/live/events")
            print(ask("POST", f"/api/v1/jobs/{id}/capture")[0])
            while True:
                line = events.readline().decode()
                if line.startswith("data: "):
                    event = json.loads(line[6:])
                    if event["event"] == "captured": break
            print(event["page"], event["byHand"])
            ask("POST", f"/api/v1/jobs/{id}/stop")
            done = job(id, "completed", "stopped", "failed")
            print(done["isWatch"], len(done["pages"]), done["deliveries"][0]["sink"])
            # Who looks on is let go with the watch.
            events.read(); film.read()
            print(fetch(id + "/live").status, fetch("nothing/live").status, ask("POST", \
            f"/api/v1/jobs/{id}/capture")[0])
            """)
        #expect(
            said.split(separator: "\n").map(String.init) == [
                "422 400 400 200 image/jpeg True",
                "multipart/x-mixed-replace; boundary=copystand-frame image/jpeg", "204", "1 True",
                "True 1 archive", "409 404 409",
            ])
    }

    @Test(
        "Devices get aliases and a default, which the user's commands know, and lose them")
    func named() throws {
        let (said, _) = try drive(
            """
            def listed():
                return [(one["aliases"], one["isDefault"]) for one in ask("GET", \
                "/api/v1/devices")[1]["devices"] if one["id"] == "virtual:feeder"][0]
            print(ask("PUT", "/api/v1/aliases/my%20desk", {"device": "virtual:feeder"})[0], \
            ask("PUT", "/api/v1/default-device", {"device": "my desk"})[0], listed())
            print(ask("GET", "/api/v1/aliases")[1], ask("GET", \
            "/api/v1/devices/my%20desk")[1]["id"])
            for path, body in [("aliases/a%3Ab", {"device": "virtual:feeder"}), ("aliases/x", \
            {"device": "virtual:nothing"}), ("aliases/x", {}),
                               ("aliases/x", {"device": "file:/etc/passwd"}), ("default-device", \
                               {"device": "virtual:nothing"})]:
                status, told, _ = ask("PUT", "/api/v1/" + path, body)
                print(status, told["code"])
            print(ask("DELETE", "/api/v1/aliases/x")[1]["code"], ask("DELETE", \
            "/api/v1/aliases/my%20desk")[0])
            print(listed(), ask("DELETE", "/api/v1/default-device")[0], listed())
            """)
        #expect(
            said.split(separator: "\n").map(String.init) == [
                "204 204 (['my desk'], True)",
                "{'aliases': {'my desk': 'virtual:feeder'}} virtual:feeder",
                "422 bad-alias", "404 no-such-device", "400 invalid", "404 no-such-device",
                "404 no-such-device", "no-such-alias 204", "([], True) 204 ([], False)",
            ])
    }

    @Test("Settings are tried without a scan, and each mistake is reported with its option")
    func tried() throws {
        let (said, _) = try drive(
            """
            def check(body):
                return ask("POST", "/api/v1/devices/virtual:feeder/check", body)
            _, told, _ = check({"common": {"source": "feeder-duplex"}, "settings": {"contrast": \
            "1000", "mirror": "yes"}})
            values = {one["name"]: one.get("value") for one in told["options"]}
            print([(one["option"], one["code"]) for one in told["problems"]], values["source"], \
            values["mirror"], values["contrast"])
            print(check({"settings": {"folder": "/etc"}})[0], check({"settings": 3})[0], \
            len(ask("GET", "/api/v1/jobs")[1]["jobs"]))
            """)
        #expect(
            said == "[('contrast', 'invalidValue')] feeder-duplex True 0\n400 400 0\n")
    }

    @Test("A deleted preview is gone at once, whether it was finished or not")
    func deletedPreview() throws {
        let (said, _) = try drive(
            """
            def begin():
                status, told, _ = ask("POST", "/api/v1/previews", {"device": "virtual:flatbed"})
                return status, "/api/v1/previews/" + told["id"]
            status, path = begin()
            print(status, ask("DELETE", path)[0], ask("GET", path)[0], ask("DELETE", path)[0])
            status, path = begin()
            while ask("GET", path)[1]["state"] == "running": time.sleep(0.05)
            print(status, ask("DELETE", path)[0], ask("GET", path)[0], ask("GET", path + \
            "/picture")[0])
            """)
        #expect(said == "202 204 404 404\n202 204 404 404\n")
    }

    @Test(
        "Sheets are scanned from the glass, each when a client says that it is there")
    func another() throws {
        let (said, _) = try drive(
            """
            order = {"device": "virtual:flatbed", "profile": "none", "asksForMore": True, \
            "common": {"resolution": 75}}
            id = ask("POST", "/api/v1/jobs", order)[1]["id"]
            for goes_on in [True, False]:
                while "question" not in (told := job(id, "waiting", "failed")): time.sleep(0.05)
                print(told["question"], told["saying"]["values"], end=" ")
                print(ask("POST", f"/api/v1/jobs/{id}/answer", {"goesOn": goes_on})[0])
            done = job(id, "completed", "stopped", "failed")
            print(done["state"], done["deliveries"][0]["pages"], "question" in done)
            print(ask("POST", f"/api/v1/jobs/{id}/answer", {"goesOn": True})[1]["code"], \
            ask("POST", "/api/v1/jobs/x/answer", {"goesOn": True})[0], ask("POST", \
            f"/api/v1/jobs/{id}/answer", {})[0])
            print(ask("POST", "/api/v1/jobs", {"device": "virtual:camera", "watch": {}, \
            "asksForMore": True})[0])
            """)
        #expect(
            said.split(separator: "\n").map(String.init) == [
                "another {'pages': '1'} 204", "another {'pages': '2'} 204", "completed 2 False",
                "nothing-asked 404 400", "400",
            ])
    }

    @Test("PDFs have the requested settings; a password is refused")
    func pdfs() throws {
        let (said, _) = try drive(
            """
            # The lines of letters on the test page: its grays would be a picture, which layers \
            leave as it is.
            letters = {"area-top": "170", "area-left": "20", "area-height": "40"}
            pdf = {"compression": "lossless", "quality": 80, "archival": "2b"}
            id = ask("POST", "/api/v1/jobs", {"device": "virtual:feeder", "profile": "none", \
            "pages": 1, "settings": letters, "pdf": pdf})[1]["id"]
            job(id, "completed")
            def export(query):
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
                connection.request("GET", "/api/v1/documents/1/export?" + query)
                answer = connection.getresponse()
                return answer.status, answer.read()
            plain, archival, layers = export("format=pdf")[1], export("archival=2b")[1], \
            export("compression=mixed&quality=60")[1]
            print(b"pdfaid:part" in plain, b"pdfaid:part" in archival, b"/ImageMask" in plain, \
            b"/ImageMask" in layers)
            print(export("compression=none")[0], export("quality=0")[0], export("archival=1b")[0])
            for pdf in [{"password": "x"}, {"quality": 0}, {"compression": "some"}]:
                status, told, _ = ask("POST", "/api/v1/jobs", {"device": "virtual:feeder", "pdf": \
                pdf})
                print(status, told["code"], "'pdf.password'" in told["detail"])
            """)
        #expect(
            said.split(separator: "\n").map(String.init) == [
                "False True False True", "400 400 400", "400 unknown-key True",
                "400 invalid False", "400 invalid False",
            ])
    }

    @Test("A page of another site, and another name of this machine, get no answer")
    func foreign() throws {
        let (said, _) = try drive(
            """
            print(ask("POST", "/api/v1/jobs", {}, {"Origin": "http://evil.example"})[0], \
            ask("GET", "/api/v1/devices", None, {"Host": "evil.example"})[0])
            """)
        #expect(said == "403 403\n")
    }

    @Test(
        "A host started with TLS and a token accepts nothing else; the token is shown once, and works until it is removed"
    )
    func guarded() throws {
        let host = try BuiltProgram.spawn(
            BuiltProgram.path,
            ["serve", "--listen", "127.0.0.1:0", "--tls", "--token", "--name", "scans.local"],
            in: home, environment: ["COPYSTAND_SPOOL": home.path + "/spool"])
        let program = try home.write(
            "drive.py",
            """
            import http.client, json, re, ssl, subprocess, sys, time
            for _ in range(600):
                said = open(sys.argv[1]).read()
                found = re.search(r"https://127.0.0.1:(\\d+)", said)
                token = re.search(r"not shown again: (\\w+)", said)
                if found and token: break
                time.sleep(0.1)
            # The authority is its own; that it speaks for this name is checked.
            blind = http.client.HTTPSConnection("127.0.0.1", int(found.group(1)), timeout=120, \
            context=ssl._create_unverified_context())
            blind.request("GET", "/copystand-ca.crt")
            context = ssl.create_default_context(cadata=blind.getresponse().read().decode())
            def ask(headers, method="GET", path="/api/v1/documents", body=None, name="localhost"):
                connection = http.client.HTTPSConnection(name, int(found.group(1)), timeout=120, \
                context=context)
                if body is not None: headers = {**headers, "Content-Type": "application/json"}
                connection.request(method, path, json.dumps(body) if body is not None else None, \
                headers)
                answer = connection.getresponse()
                answer.read()
                return answer
            bearer = {"Authorization": "Bearer " + token.group(1)}
            print(ask({}).status, ask({"Authorization": "Bearer x"}).status, ask(bearer).status, \
            ask({}, path="/health").status, ask({}, path="/").status)
            print(ask({}, "POST", "/api/v1/session", {"token": "x"}).status)
            answer = ask({}, "POST", "/api/v1/session", {"token": token.group(1)})
            cookie = answer.getheader("Set-Cookie")
            print(answer.status, "HttpOnly" in cookie and "SameSite=Strict" in cookie and "Secure" \
            in cookie)
            print(ask({"Cookie": cookie.split(";")[0]}).status)
            subprocess.run([sys.argv[2], "token", "remove", "first"], check=True, \
            capture_output=True)
            print(ask(bearer).status)
            """)
        let driver = try BuiltProgram.spawn(
            "/usr/bin/python3", [program, host.folder + "/errors", BuiltProgram.path], in: home
        ).wait()
        kill(host.process, SIGINT)
        #expect(try host.wait().status == 0)
        #expect(driver.status == 0, "\(driver.errors)")
        #expect(driver.output == "401 401 200 200 200\n401\n204 True\n200\n401\n")
    }

    @Test(
        "An invalid address is refused with advice",
        arguments: [
            ("8470", "an address and a port"), ("127.0.0.1:99999", "an address and a port"),
        ])
    func addresses(_ place: String, _ words: String) throws {
        let outcome = try BuiltProgram.run(["serve", "--listen", place], in: home)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(words))
    }
}
