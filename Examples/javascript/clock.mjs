#!/usr/bin/env node
// Pages that show the time as bars: a made-up scanner, and a camera with a live view.
import * as copystand from "./copystand_backend.mjs";

const [WIDTH, HEIGHT] = [120, 80];
const CHANNELS = { bilevel: 1, gray: 1, color: 3 };

/** A page of bars, whose lengths are the hour, the minute and the second. */
function draw(mode, brightness) {
  const now = new Date();
  const parts = [now.getHours() / 24, now.getMinutes() / 60, now.getSeconds() / 60];
  const ink = copystand.levelIn(brightness, 0, 255);
  const row = copystand.rowBytes(copystand.FORMATS[mode], WIDTH);
  const pixels = new Uint8Array(row * HEIGHT);
  for (let y = 0; y < HEIGHT; y++) {
    const length = WIDTH * parts[Math.min(2, Math.floor(y / HEIGHT * 3))];
    for (let x = 0; x < WIDTH; x++) {
      if (mode === "bilevel") {
        if (x < length) pixels[y * row + (x >> 3)] |= 0x80 >> (x & 7);
      } else {
        const place = y * row + x * CHANNELS[mode];
        pixels.fill(x < length ? ink : 255, place, place + CHANNELS[mode]);
      }
    }
  }
  return pixels;
}

class Clock extends copystand.Device {
  constructor(hasLiveView) {
    super(
      copystand.mode("gray"),
      copystand.resolution(100, [100, 200]),
      copystand.level("brightness", -100),
    );
    this.hasLiveView = hasLiveView;
  }

  async capture(sink, mode, limit) {
    const isLive = mode === "live";
    if (isLive && !this.hasLiveView) throw new copystand.Failure("unsupported", "no live view");
    const most = limit ?? (isLive ? Infinity : 1);
    const look = sink.get("mode");
    for (let count = 0; count < most;) {
      const more = isLive
        ? { time: performance.now() / 1000 }
        : { resolution: sink.get("resolution"), facts: { origin: "digital" } };
      const frame = await sink.begin(copystand.FORMATS[look], WIDTH, HEIGHT, more);
      await frame.write(draw(look, sink.get("brightness")));
      await frame.finish();
      if (frame.wanted) count += 1;
      if (isLive) await sink.sleep(0.01);
    }
  }
}

class Clocks extends copystand.Backend {
  devices(_quick) {
    return [
      copystand.device("pages", "Clock", "scanner"),
      copystand.device("live", "Clock, live", "camera", { sources: ["camera"] }),
    ];
  }

  open(id) {
    if (!["pages", "live"].includes(id)) {
      throw new copystand.Failure("noSuchDevice", `no clock is called '${id}'`);
    }
    return new Clock(id === "live");
  }
}

copystand.run(new Clocks("Clocks", "1.0"));
