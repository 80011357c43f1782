/// The files of a new backend in Python.
enum PythonTemplate {
    static let program = #"""
        #!/usr/bin/python3
        """A made-up scanner of test cards, to be replaced by a device of yours."""
        import os

        import copystand_backend as copystand
        from fake_scanner import HEIGHT, WIDTH, FakeScanner, Jam


        def scanners():
            """The available scanners by their ids. Replace the fake one with yours, and use the fake
            one only if {{variable}} is set, as in tests.
            """
            fault = os.environ.get("{{variable}}", "")
            return {"card": FakeScanner(fault)}


        class Scanner(copystand.Device):
            def __init__(self, scanner):
                super().__init__(copystand.level("brightness", help="How bright cards are."))
                self.scanner = scanner

            def capture(self, sink, mode, limit):
                if mode != "pages":
                    raise copystand.Failure("unsupported", "test cards have no live view")
                # What was set when the capture began; 0 % is the middle of the driver's own range.
                lift = int(copystand.level_in(sink["brightness"], 0, 255))
                for number in range(1, (limit or 1) + 1):
                    try:
                        if not self.scanner.feed():
                            raise copystand.Failure("feederEmpty", "there is no card in the feeder")
                    except Jam:
                        raise copystand.Failure("jammed", f"card {number} is jammed", "Pull it out.")
                    page = sink.begin("gray8", WIDTH, HEIGHT, resolution=100, label=f"card {number}")
                    for row in range(HEIGHT):
                        # Raises when the capture is canceled: write often.
                        page.write(self.scanner.row(row, lift))
                    page.finish()


        class Backend(copystand.Backend):
            def devices(self, quick):
                return [copystand.device(id, "Test cards", "scanner", sources=["feeder"])
                        for id in scanners()]

            def open(self, id):
                scanner = scanners().get(id)
                if scanner is None:
                    raise copystand.Failure("noSuchDevice", f"there is no device '{id}'")
                return Scanner(scanner)


        if __name__ == "__main__":
            copystand.run(Backend("{{title}}", "1.0"))

        """#

    static let fake = #"""
        """A made-up scanner, so that tests need no hardware. `fault` is "empty", "jam"
        (at the second card), or anything else for none.
        """
        import functools

        WIDTH, HEIGHT = 850, 1100


        class Jam(Exception):
            """Paper is stuck."""


        class FakeScanner:
            def __init__(self, fault):
                self.fault, self.fed = fault, 0

            def feed(self):
                """Feeds the next card; False when there is none."""
                self.fed += 1
                if self.fault == "jam" and self.fed == 2:
                    raise Jam()
                return self.fault != "empty"

            def row(self, number, lift):
                """The pixels of a row: a ramp that is shifted row by row."""
                return shifted((number + lift) % 256)


        @functools.lru_cache(256)
        def shifted(by):
            return bytes((column * 255 // WIDTH + by) % 256 for column in range(WIDTH))

        """#
}
