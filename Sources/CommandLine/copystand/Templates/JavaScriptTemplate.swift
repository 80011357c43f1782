/// A new backend in JavaScript.
enum JavaScriptTemplate {
    static let program = #"""
        #!/usr/bin/env node
        // A made-up scanner of test cards, to be replaced by your device.
        import process from "node:process";
        import * as copystand from "./copystand_backend.mjs";
        import { FakeScanner, HEIGHT, Jam, WIDTH } from "./fake_scanner.mjs";

        /** The available scanners by their ids. Replace the fake one with yours, and use the fake one
         * only if {{variable}} is set, as in tests. */
        function scanners() {
          return new Map([["card", new FakeScanner(process.env["{{variable}}"] ?? "")]]);
        }

        class Scanner extends copystand.Device {
          constructor(scanner) {
            super({ ...copystand.level("brightness"), help: "How bright cards are." });
            this.scanner = scanner;
          }

          async capture(sink, mode, limit) {
            if (mode !== "pages") {
              throw new copystand.Failure("unsupported", "test cards have no live view");
            }
            // The settings at the start of the capture; 0 % is the middle of the driver's own
            // range.
            const lift = Math.floor(copystand.levelIn(sink.get("brightness"), 0, 255));
            for (let number = 1; number <= (limit ?? 1); number++) {
              this.feed(number);
              const more = { resolution: 100, label: `card ${number}` };
              const page = await sink.begin("gray8", WIDTH, HEIGHT, more);
              for (let row = 0; row < HEIGHT; row++) {
                // Throws when the capture is canceled: write often.
                await page.write(this.scanner.row(row, lift));
              }
              await page.finish();
            }
          }

          feed(number) {
            try {
              if (this.scanner.feed()) return;
            } catch (error) {
              if (!(error instanceof Jam)) throw error;
              throw new copystand.Failure("jammed", `card ${number} is jammed`, "Pull it out.");
            }
            throw new copystand.Failure("feederEmpty", "there is no card in the feeder");
          }
        }

        class Backend extends copystand.Backend {
          devices(_quick) {
            return [...scanners().keys()].map((id) =>
              copystand.device(id, "Test cards", "scanner", { sources: ["feeder"] })
            );
          }

          open(id) {
            const scanner = scanners().get(id);
            if (!scanner) throw new copystand.Failure("noSuchDevice", `there is no device '${id}'`);
            return new Scanner(scanner);
          }
        }

        copystand.run(new Backend("{{title}}", "1.0"));

        """#

    static let fake = #"""
        // A made-up scanner, so that tests need no hardware. `fault` is its fault: "empty", "jam"
        // (at the second card), or anything else for none.

        export const [WIDTH, HEIGHT] = [850, 1100];

        /** Paper is stuck. */
        export class Jam extends Error {}

        const rows = new Map();

        export class FakeScanner {
          constructor(fault) {
            this.fault = fault;
            this.fed = 0;
          }

          /** Feeds the next card; false when there is none. */
          feed() {
            this.fed += 1;
            if (this.fault === "jam" && this.fed === 2) throw new Jam();
            return this.fault !== "empty";
          }

          /** The pixels of a row: a ramp that is shifted row by row. */
          row(number, lift) {
            const by = (number + lift) % 256;
            if (!rows.has(by)) {
              const ramp = (_, column) => Math.floor(column * 255 / WIDTH) + by;
              rows.set(by, Uint8Array.from({ length: WIDTH }, ramp));
            }
            return rows.get(by);
          }
        }

        """#
}
