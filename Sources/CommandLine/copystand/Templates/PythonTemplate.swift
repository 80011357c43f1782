/// A new backend in Python.
enum PythonTemplate {
    static let program = #"""
        #!/usr/bin/python3
        """A made-up scanner of test cards, to be replaced by a device of yours."""
        import copystand_backend as copystand

        WIDTH, HEIGHT = 850, 1100


        class TestCards(copystand.Device):
            def __init__(self):
                super().__init__(copystand.level("brightness", help="How bright cards are."))

            def capture(self, sink, mode, limit):
                if mode != "pages":
                    raise copystand.Failure("unsupported", "test cards have no live view")
                # What was set when the capture began; 0 % is the middle of the driver's own range.
                lift = int(copystand.level_in(sink["brightness"], 0, 255))
                for number in range(limit or 1):
                    page = sink.begin("gray8", WIDTH, HEIGHT, resolution=100, label=f"card {number + 1}")
                    for row in range(HEIGHT):
                        # Raises when the capture is cancelled: write often. Raise copystand.Failure("jammed", "...") for faults.
                        page.write(bytes((column * 255 // WIDTH + lift + row) % 256 for column in range(WIDTH)))
                    page.finish()


        class Backend(copystand.Backend):
            def devices(self, quick):
                return [copystand.device("card", "Test cards", "scanner", sources=["feeder"])]

            def open(self, id):
                if id != "card":
                    raise copystand.Failure("noSuchDevice", f"there is no device '{id}'")
                return TestCards()


        if __name__ == "__main__":
            copystand.run(Backend("{{title}}", "1.0"))

        """#
}
