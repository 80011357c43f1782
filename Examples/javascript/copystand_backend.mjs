// The classes that a Copystand backend in JavaScript needs. Copy this file beside yours; it uses
// Node's own modules only (Node 18).
//
//     #!/usr/bin/env node
//     import * as copystand from "./copystand_backend.mjs";
//
//     class Lamp extends copystand.Device {
//       async capture(sink, mode, limit) {
//         const page = await sink.begin("gray8", 2480, 3508, { resolution: 300 });
//         await page.write(pixels);
//         await page.finish();
//       }
//     }
//
//     class Lamps extends copystand.Backend {
//       devices(quick) {
//         return [copystand.device("lamp", "Desk lamp scanner", "scanner")];
//       }
//       open(id) {
//         return new Lamp(copystand.integer("gain", "Gain", 3, 1, 9));
//       }
//     }
//
//     copystand.run(new Lamps("Lamp scanners", "1.0"));
//
// Throw a `Failure` with a code of the protocol and a sentence for every failure. Every method may
// be async. Those of one device are called one after the other, but `capture` runs in parallel.
// Pixels travel in the connection, so nothing native is needed.

import { Buffer } from "node:buffer";
import net from "node:net";
import process from "node:process";

/** The format of pages in each mode, with 8 bits a sample. */
export const FORMATS = { bilevel: "bilevel", gray: "gray8", color: "rgb8" };

/** Sheets of paper, upright: millimeters across and down. */
export const PAPERS = {
  "a3": [297, 420],
  "a4": [210, 297],
  "a5": [148, 210],
  "a6": [105, 148],
  "b4": [250, 353],
  "b5": [176, 250],
  "jis-b4": [257, 364],
  "jis-b5": [182, 257],
  "letter": [215.9, 279.4],
  "legal": [215.9, 355.6],
  "tabloid": [279.4, 431.8],
  "executive": [184.15, 266.7],
  "half-letter": [139.7, 215.9],
  "card": [85.6, 53.98],
  "photo-10x15": [101.6, 152.4],
};

const BITS = { bilevel: 1, gray8: 8, gray16: 16, rgb8: 24, rgb16: 48, jpeg: 0 };
const PIECE = 1 << 20;
/** Rows are gathered up to this many bytes, or for this many milliseconds. */
const [GATHERED, PATIENCE] = [512 << 10, 250];

/** A failure, for the user: a code of the protocol, one sentence without a full stop that names
 * the value, and the next step. */
export class Failure extends Error {
  constructor(code, message, advice) {
    super(message);
    this.code = code;
    this.advice = advice;
  }

  toJSON() {
    const { code, message, advice } = this;
    return { code, message: message.slice(0, 4000), ...(advice ? { advice } : {}) };
  }
}

/** The host has canceled the capture: stop the device, and do not catch this. */
export class Cancelled extends Failure {
  constructor() {
    super("cancelled", "the capture was canceled");
  }
}

/** Describes a device. `kind` is "scanner", "camera" or "files"; `more` may have vendor, model,
 * connection, sources (an array), maximumArea (width and height in millimeters), state, advice. */
export function device(id, name, kind, more = {}) {
  return { id, name, kind, ...more };
}

/** The bytes of a path that the host sent, such as an id. */
export function pathBytes(text) {
  return Buffer.concat([...text].map((character) => {
    const byte = character.codePointAt(0) - 0x10FF00;
    const isByte = (byte > 0 && byte < 0x20) || (byte >= 0x7F && byte <= 0xFF);
    return isByte ? Buffer.from([byte]) : Buffer.from(character);
  }));
}

// --- Options; `more` may have help, group, unit, defaultValue (`value` unless given), isActive,
// isReadOnly, isAdvanced, sensor, hostPath ---

const option = (name, title, value, type, more) => ({
  name,
  title,
  type,
  ...(value === undefined ? {} : { value, defaultValue: value }),
  ...more,
});

export const toggle = (name, title, value, more) =>
  option(name, title, value, { kind: "toggle" }, more);

/** A whole number from `minimum` to `maximum`; `more` may have a `step` from the minimum. */
export function integer(name, title, value, minimum, maximum, { step = 1, ...more } = {}) {
  return option(name, title, value, { kind: "integer", minimum, maximum, step }, more);
}

/** A number; `more` may have a `step` from the minimum. */
export function number(name, title, value, minimum, maximum, { step, ...more } = {}) {
  const steps = step === undefined ? {} : { step };
  return option(name, title, value, { kind: "number", minimum, maximum, ...steps }, more);
}

/** One of some texts, or of some whole numbers. */
export function choice(name, title, value, choices, more) {
  const kind = typeof choices[0] === "string" ? "choice" : "integerChoice";
  return option(name, title, value, { kind, choices }, more);
}

/** Text of at most `maximumLength` (1,000) UTF-8 bytes. Set hostPath to true if the text names a
 * file. */
export function text(name, title, value, { maximumLength = 1000, ...more } = {}) {
  return option(name, title, value, { kind: "text", maximumLength }, more);
}

/** An action: setting it performs it (`Device.changed`). */
export const button = (name, title, more) =>
  option(name, title, undefined, { kind: "button" }, more);

// --- Options that hosts know by name ---

export const mode = (value = "color", choices = Object.keys(FORMATS)) =>
  choice("mode", "Mode", value, choices);

export const resolution = (value, choices) =>
  choice("resolution", "Resolution", value, choices, { unit: "dpi" });

export const source = (value, choices) => choice("source", "Source", value, choices);

/** The sheets that fit onto this many millimeters, "maximum" and "custom". */
export function paper(value, width, height) {
  // Many glasses are a little shorter than A4.
  const fits = ([, [w, h]]) => w <= width + 1.5 && h <= height + 1.5;
  const sheets = Object.entries(PAPERS).filter(fits).map(([name]) => name);
  return choice("paper", "Paper", value, [...sheets, "maximum", "custom"]);
}

/** The options `area-left`, `area-top`, `area-width` and `area-height`. */
export function area(width, height) {
  const sides = { left: [0, width], top: [0, height], width: [width, width] };
  return Object.entries({ ...sides, height: [height, height] }).map(([name, [value, most]]) =>
    number(`area-${name}`, `Area: ${name}`, value, 0, most, { unit: "millimetres" })
  );
}

/** `brightness` or `contrast`, from -100 to 100 percent. */
export function level(name, value = 0) {
  const title = name[0].toUpperCase() + name.slice(1);
  return number(name, title, value, -100, 100, { unit: "percent" });
}

/** A driver's value for a level: 0 percent is the middle of its range. */
export function levelIn(percent, lowest, highest) {
  return lowest + (Math.min(100, Math.max(-100, percent)) + 100) / 200 * (highest - lowest);
}

/** Returns whether an option of the type accepts the value, and the accepted values in words. */
function fits(value, type) {
  const { kind, minimum = -Infinity, maximum = Infinity, step, choices } = type;
  switch (kind) {
    case "toggle":
      return [typeof value === "boolean", "true or false"];
    case "integer":
    case "number": {
      const isNumber = kind === "integer" ? Number.isInteger(value) : Number.isFinite(value);
      const steps = step ? (value - (type.minimum ?? 0)) / step : 0;
      const isOnStep = Math.abs(steps - Math.round(steps)) < 1e-6;
      const inSteps = step && step !== 1 ? ` in steps of ${step}` : "";
      const isWithin = value >= minimum && value <= maximum;
      return [isNumber && isWithin && isOnStep, `${minimum} to ${maximum}${inSteps}`];
    }
    case "choice":
    case "integerChoice":
      return [choices.includes(value), `one of ${choices.join(", ")}`];
    case "text": {
      const most = type.maximumLength;
      const isText = typeof value === "string" && Buffer.byteLength(value) <= most;
      return [isText, `text of at most ${most} bytes`];
    }
    default:
      return [true, "anything"];
  }
}

// --- What you write ---

/** An open device: derive from this class and write `capture`; the rest has a default. */
export class Device {
  #options;
  #tell = () => {};

  constructor(...options) {
    this.#options = new Map(options.map((option) => [option.name, option]));
  }

  /** The description of the device (`device(...)`), for one that is opened without being listed. */
  describe() {}

  /** Every option with its present value. Called only when the host reads the options; override
   * it to query sensors. */
  options() {
    return [...this.#options.values()];
  }

  /** One option, whose fields may be changed, such as isActive or value. */
  option(name) {
    const found = this.#options.get(name);
    if (!found) throw new Failure("noSuchOption", `no option is called '${name}'`);
    return found;
  }

  /** The value of an option. */
  get(name) {
    return this.option(name).value;
  }

  /** Reports a change of an option by the device; without a value the host reads the options. */
  report(name, value) {
    if (value !== undefined) this.option(name).value = value;
    this.#tell({ option: name, ...(value === undefined ? {} : { value }) });
  }

  /** Checks a value, calls `changed`, and stores it. */
  async set(name, value) {
    const option = this.option(name);
    const [isFit, takes] = fits(value, option.type);
    const refuse = (why) => {
      throw new Failure("invalidValue", `option '${name}' ${why}`);
    };
    if (option.isReadOnly) refuse("can only be read");
    if (option.isActive === false) refuse("has no effect with the current values of the others");
    if (!isFit) refuse(`takes ${takes}, not ${JSON.stringify(value)}`);
    const reloadOptions = Boolean(await this.changed(name, value));
    if (option.type.kind === "button") return { reloadOptions };
    option.value = value;
    return { value, reloadOptions };
  }

  /** Sends a checked value to the device. Return true if other options changed with it. */
  changed(_name, _value) {}

  /** Captures frames into `sink` until the source is empty or `limit` (undefined: no limit) is
   * reached. `mode` is "pages", or "live": frames until canceled. `sink.get(name)` is an option's
   * value when the capture began. */
  capture(_sink, _mode, _limit) {
    throw new Failure("unsupported", "this device can't capture");
  }

  /** Called when the capture is canceled; must end a call in which the capture waits. */
  cancel() {}

  /** Releases the device; called once, after every capture has ended. */
  close() {}

  // The following is internal.

  listen(tell) {
    this.#tell = tell;
  }

  values() {
    return new Map([...this.#options].map(([name, option]) => [name, option.value]));
  }
}

/** A source of devices: derive from this class and write `devices` and `open`. */
export class Backend {
  #wire;

  constructor(name, version) {
    this.name = name;
    this.version = version;
  }

  /** The devices that can be seen now; with `quick`, those that are found without waiting. A
   * `Failure` in the array is a problem that kept others from being found. */
  devices(_quick) {
    throw new Failure("unsupported", "this backend lists no devices");
  }

  /** Opens a device; throw `new Failure("noSuchDevice", ...)` when there is no device with that
   * id. */
  open(id) {
    throw new Failure("noSuchDevice", `there is no device '${id}'`);
  }

  /** Called once the host is connected; may call `added`, `updated` and `removed` at any time. */
  watch() {}

  added(device) {
    this.#wire?.send({ event: "deviceAdded", device });
  }

  updated(device) {
    this.#wire?.send({ event: "deviceChanged", device });
  }

  removed(id) {
    this.#wire?.send({ event: "deviceRemoved", id });
  }

  /** Writes to the host's log; `level` is debug, info, warning or error. */
  log(message, level = "info") {
    this.#wire?.send({ event: "log", level, message: message.slice(0, 4000) });
  }

  connect(wire) {
    this.#wire = wire;
  }
}

/** The fewest bytes a row takes. */
export function rowBytes(format, width) {
  if (format === "yuyv" || format === "uyvy") return Math.ceil(width / 2) * 4;
  return format === "nv12" ? Math.ceil(width / 2) * 2 : Math.ceil(width * BITS[format] / 8);
}

/** A frame that was begun: write its pixels, top row first, then finish it. */
class Frame {
  #sink;
  #fields;
  #most;
  #written = 0;
  #gathered;
  #count = 0;
  #flushed = performance.now();

  constructor(sink, fields, grant) {
    this.#sink = sink;
    this.#fields = fields;
    this.#most = grant.most ?? 0;
    /** False when the host drops this live frame, so that nothing need be written. */
    this.wanted = grant.way !== "drop";
  }

  /** Adds the next bytes; they need not end at a row's end. Their memory may then be used again. */
  async write(data) {
    this.#sink.check();
    if (!this.wanted) return;
    const bytes = Buffer.from(data.buffer ?? data, data.byteOffset ?? 0, data.byteLength);
    const { frame } = this.#fields;
    if (this.#written + bytes.length > this.#most) {
      throw new Failure("tooLarge", `frame ${frame} has more than its ${this.#most} bytes`);
    }
    this.#written += bytes.length;
    if (this.#count + bytes.length > GATHERED) await this.#flush();
    if (bytes.length >= GATHERED) return this.#send(bytes);
    this.#gathered ??= this.#sink.takeMemory(GATHERED);
    this.#count += bytes.copy(this.#gathered, this.#count);
    if (performance.now() - this.#flushed > PATIENCE) await this.#flush();
  }

  async #flush() {
    const [gathered, count] = [this.#gathered, this.#count];
    [this.#gathered, this.#count, this.#flushed] = [undefined, 0, performance.now()];
    if (!gathered) return;
    await this.#send(gathered.subarray(0, count));
    this.#sink.memory = gathered;
  }

  async #send(bytes) {
    const { frame } = this.#fields;
    for (let start = 0; start < bytes.length; start += PIECE) {
      const piece = bytes.subarray(start, start + PIECE);
      await this.#sink.send({ event: "pixels", frame }, piece);
    }
  }

  /** Reports words of the page's own text, each with text, box and perhaps ends. */
  async text(words, isPartial = false) {
    const { frame } = this.#fields;
    for (let start = 0; this.wanted && start < words.length; start += 100) {
      const part = { words: words.slice(start, start + 100), partial: isPartial };
      await this.#sink.send({ event: "text", frame, ...part });
    }
  }

  /** Ends the frame. `original`: the bytes of the JPEG that it was decoded from. */
  async finish(original) {
    this.#sink.check();
    const { frame, format, width, height } = this.#fields;
    const row = rowBytes(format, width);
    const stride = this.#fields.stride || row;
    const rows = height ?? Math.floor((this.#written + stride - row) / (stride || 1));
    if (this.wanted) {
      const color = format === "nv12" ? Math.ceil(rows / 2) : 0;
      const least = format === "jpeg" ? 1 : stride * (rows + color - 1) + row;
      if (!rows || this.#written < least) {
        const count = `${this.#written} of ${least} bytes`;
        throw new Failure("damagedData", `frame ${frame} is incomplete: only ${count} of it came`);
      }
      await this.#flush();
      const length = format === "jpeg" ? { length: this.#written } : {};
      const mediaType = original ? { mediaType: "image/jpeg" } : {};
      await this.#sink.send({ event: "done", frame, rows, ...length, ...mediaType }, original);
    }
    this.#sink.over(this.wanted);
  }
}

/** The destination of a capture's frames. */
class Sink {
  #wire;
  #capture;
  #limit;
  #values = new Map();
  #frame;
  #finished = 0;
  #grant;
  #wakes = new Set();
  number = 1;
  cancelled = false;
  memory;

  constructor(wire, capture, limit) {
    this.#wire = wire;
    this.#capture = capture;
    this.#limit = limit;
  }

  /** The value that an option had when the capture began. */
  get(name) {
    return this.#values.get(name);
  }

  /** Announces a frame, and waits until the host has room for it. `more` may have resolution (in
   * dots per inch), stride, label, expected, time, problems, capacity (for "jpeg"), metadata,
   * facts. Throws `Failure("tooLarge")` for a frame beyond the host's limits. */
  async begin(format, width, height, { resolution, ...more } = {}) {
    this.check();
    if (this.#frame) throw new Failure("internalFault", `frame ${this.number} was not finished`);
    if (this.#limit && this.#finished >= this.#limit) {
      throw new Failure("internalFault", `a frame was begun after the last of ${this.#limit}`);
    }
    const fields = { frame: this.number, format, width, ...more };
    if (height) fields.height = height;
    if (resolution) fields.resolution = { x: resolution, y: resolution };
    this.#grant = undefined;
    await this.send({ event: "frame", ...fields });
    while (!this.#grant) await this.#wait();
    const grant = this.#grant;
    if (grant.event === "refused") {
      const { code = "internalFault", message = "the host refused the frame" } = grant.error ?? {};
      throw code === "cancelled" ? new Cancelled() : new Failure(code, message);
    }
    this.#frame = new Frame(this, fields, grant);
    return this.#frame;
  }

  /** Reports a page that can't be captured; later pages can still be captured. */
  async skip(failure, label) {
    this.check();
    const named = label ? { label } : {};
    await this.send({ event: "skipped", frame: this.number, error: failure, ...named });
    this.over(false);
  }

  /** Throws `Cancelled` once the host has canceled the capture. */
  check() {
    if (this.cancelled) throw new Cancelled();
  }

  /** Waits; throws `Cancelled` as soon as the capture is canceled. */
  async sleep(seconds) {
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) await this.#wait(end - performance.now());
    this.check();
  }

  // The following is internal.

  keep(values) {
    this.#values = values;
  }

  /** Memory that no frame is using. */
  takeMemory(size) {
    const memory = this.memory ?? Buffer.allocUnsafe(size);
    this.memory = undefined;
    return memory;
  }

  /** Waits for a message, or for this many milliseconds. */
  async #wait(time) {
    this.check();
    await new Promise((resolve) => {
      const timer = time === undefined ? undefined : setTimeout(resolve, time);
      this.#wakes.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.check();
  }

  #wake() {
    for (const wake of this.#wakes) wake();
    this.#wakes.clear();
  }

  get isOpen() {
    return Boolean(this.#frame);
  }

  send(fields, data) {
    return this.#wire.send({ ...fields, capture: this.#capture }, data);
  }

  over(counts) {
    this.#frame = undefined;
    this.number += 1;
    if (counts) this.#finished += 1;
  }

  deliver(message) {
    this.#grant = message;
    this.#wake();
  }

  cancel() {
    this.cancelled = true;
    this.#wake();
  }
}

/** An open device: its requests run one after the other, with a capture in parallel. */
class Lane {
  sink;
  capture = Promise.resolve();
  #last = Promise.resolve();

  constructor(device) {
    this.device = device;
  }

  enqueue(work) {
    this.#last = this.#last.then(work);
    return this.#last;
  }

  cancel(sink) {
    if (sink.cancelled) return;
    sink.cancel();
    this.device.cancel();
  }

  async close() {
    if (this.sink) this.cancel(this.sink);
    await this.capture;
    await this.device.close();
  }
}

/** The connection to the host. */
class Wire {
  #socket;
  #backend;
  #lanes = new Map();
  #sinks = new Map();
  #handle = 0;
  #isGreeted = false;
  #parts = [];

  constructor(socket, backend) {
    this.#socket = socket;
    this.#backend = backend;
  }

  /** Sends a message and its bytes, and waits until they are no longer needed. */
  async send(message, data) {
    const fields = data?.length ? { ...message, bytes: data.length } : message;
    const line = JSON.stringify(fields) + "\n";
    if (!data?.length) {
      if (this.#socket.write(line)) return;
      return new Promise((resolve) => this.#socket.once("drain", resolve));
    }
    this.#socket.cork();
    this.#socket.write(line);
    const sent = new Promise((resolve) => this.#socket.write(data, resolve));
    this.#socket.uncork();
    await sent;
  }

  /** Handles the next received bytes. */
  take(bytes) {
    for (let start = 0; start < bytes.length;) {
      const end = bytes.indexOf(10, start);
      this.#parts.push(bytes.subarray(start, end < 0 ? bytes.length : end));
      if (end < 0) return;
      const line = Buffer.concat(this.#parts);
      this.#parts = [];
      start = end + 1;
      this.#takeLine(new TextDecoder("utf-8", { fatal: true }).decode(line));
    }
  }

  #takeLine(line) {
    const message = JSON.parse(line);
    if (message === null || typeof message !== "object" || Array.isArray(message)) {
      throw new TypeError("it is no object");
    }
    if (typeof message.event === "string") {
      const known = this.#sinks.get(message.capture);
      const isOfFrame = message.event === "buffer" || message.event === "refused";
      if (isOfFrame && known?.sink.number === message.frame) known.sink.deliver(message);
    } else if (Number.isInteger(message.request) && typeof message.verb === "string") {
      this.#serve(message);
    } else {
      throw new TypeError("it is neither a request nor an event");
    }
  }

  #serve(request) {
    const { verb } = request;
    if (["options", "set", "capture", "close"].includes(verb)) {
      const lane = this.#lanes.get(request.handle);
      if (!lane) {
        return this.#answer(request, () => {
          throw new Failure("noSuchDevice", `no open device has the handle ${request.handle}`);
        });
      }
      return this.#serveDevice(request, lane);
    }
    const work = { hello: "hello", devices: "devices", open: "open", cancel: "cancel" }[verb];
    return this.#answer(request, () => {
      if (!work) throw new Failure("unsupported", `no verb '${verb}' is known`);
      return this[work](request);
    });
  }

  #serveDevice(request, lane) {
    if (request.verb === "capture") return this.#capture(request, lane);
    if (request.verb === "close") this.#lanes.delete(request.handle);
    const works = {
      options: async () => ({ options: await lane.device.options() }),
      set: () => lane.device.set(request.option, request.value),
      close: async () => {
        await lane.close();
        return {};
      },
    };
    lane.enqueue(() => this.#answer(request, works[request.verb]));
  }

  #capture(request, lane) {
    const { request: id, limit, mode = "pages" } = request;
    let failure;
    if (lane.sink) failure = new Failure("busy", "the device is already capturing");
    if (limit < 1) failure = new Failure("invalidValue", `a capture of ${limit} frames`);
    if (!["pages", "live"].includes(mode)) failure = new Failure("unsupported", `no mode ${mode}`);
    if (failure) return this.#answer(request, () => Promise.reject(failure));
    const sink = lane.sink = new Sink(this, id, limit);
    this.#sinks.set(id, { sink, lane });
    lane.enqueue(() => {
      sink.keep(lane.device.values());
      lane.capture = this.#answer(request, async () => {
        try {
          sink.check();
          await lane.device.capture(sink, mode, limit);
          if (sink.isOpen) throw new Failure("internalFault", "a frame was not finished");
          return {};
        } finally {
          this.#sinks.delete(id);
          lane.sink = undefined;
        }
      });
    });
  }

  /** Runs a request, and answers it exactly once. */
  async #answer(request, work) {
    let result;
    try {
      result = await work();
    } catch (error) {
      if (!(error instanceof Failure)) console.error(error);
      result = { error: error instanceof Failure ? error : new Failure("internalFault", `${error}`) };
    }
    await this.send({ answer: request.request, ...result });
  }

  hello() {
    if (!this.#isGreeted) queueMicrotask(() => this.#backend.watch());
    this.#isGreeted = true;
    return { protocol: 1, name: this.#backend.name, version: this.#backend.version };
  }

  async devices({ quick = false }) {
    const found = await this.#backend.devices(quick);
    const problems = found.filter((entry) => entry instanceof Failure);
    const devices = found.filter((entry) => !(entry instanceof Failure));
    return { devices, ...(problems.length ? { problems } : {}) };
  }

  async open({ device: id }) {
    const device = await this.#backend.open(id);
    const handle = ++this.#handle;
    device.listen((fields) => this.send({ event: "optionChanged", handle, ...fields }));
    this.#lanes.set(handle, new Lane(device));
    const description = device.describe();
    return { handle, ...(description ? { device: description } : {}) };
  }

  cancel({ capture }) {
    const known = this.#sinks.get(capture);
    if (known) known.lane.cancel(known.sink);
    return {};
  }

  /** Ends captures and closes devices when the host is gone. */
  async windDown() {
    const lanes = [...this.#lanes.values()];
    await Promise.allSettled(lanes.map((lane) => lane.close()));
  }
}

/** Serves a `Backend` to the host that started this program, until the host goes away; then the
 * program ends. */
export function run(backend) {
  // In a debugger, a host waits at COPYSTAND_ATTACH.
  const place = process.env.COPYSTAND_ATTACH;
  let socket;
  try {
    socket = place ? net.createConnection(place) : new net.Socket({ fd: 3 });
    if (!socket._handle) throw new Error("no connection");
  } catch {
    console.error(
      `${backend.name} ${backend.version}: a Copystand backend. Copystand starts it when needed.\n` +
        "Try: copystand backends",
    );
    process.exit(2);
  }
  const wire = new Wire(socket, backend);
  backend.connect(wire);
  let isOver = false;
  const leave = (status) => {
    if (isOver) return;
    isOver = true;
    setTimeout(() => process.exit(status), 1500);
    wire.windDown().finally(() => process.exit(status));
  };
  socket.on("data", (bytes) => {
    if (isOver) return;
    try {
      wire.take(bytes);
    } catch (error) {
      console.error(`the host's message can't be read: ${error.message}`);
      leave(1);
    }
  });
  socket.on("end", () => leave(0));
  socket.on("close", () => leave(0));
  socket.on("error", (error) => {
    if (!place || error.syscall !== "connect") return leave(0);
    console.error(`no host waits at COPYSTAND_ATTACH=${place}: ${error.code}`);
    process.exit(2);
  });
  // The host has died; the end of the connection is handled elsewhere.
  process.on("SIGHUP", () => {});
  process.on("unhandledRejection", (error) => console.error(error));
}
