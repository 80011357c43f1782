// Captures a page of a document again: with a device, or with this device's camera.
import { cancelButton, choice, make, press, row, told } from "../parts/dom.js";
import { ask, send } from "../shell/host.js";
import { recall } from "../parts/memory.js";
import { isOver, jobWhen } from "../scan/place.js";
import { fileButton, fileInput } from "../scan/sending.js";
import { archived } from "../parts/strip.js";
import { deviceName, say } from "../words/words.js";

// The document of an order's job.
async function captured(order) {
  const { id } = await ask("jobs", { method: "POST", body: order });
  const job = await jobWhen(id, isOver);
  const [document] = archived(job);
  if (document === undefined || job.state !== "completed") {
    throw new Error(job.problem ?? job.message);
  }
  return Number(document);
}

// The last settings for a device, for one page.
export function orderFor(device) {
  const { source, paper, mode, resolution, profile } = recall("scan-" + device, {});
  const chosen = Object.entries({ source, paper, mode }).filter(([, value]) => value);
  return {
    device,
    pages: 1,
    profile: profile || "document",
    common: {
      ...Object.fromEntries(chosen),
      ...(resolution && { resolution: Number(resolution) }),
    },
  };
}

// A form for the page with that number; `take(document)` gets the document with the new page.
export async function rescanning(number, take, leave) {
  const { devices } = await ask("devices");
  const scanners = devices.filter((one) => one.kind !== "files");
  const title = say("page", { number });
  const device = choice(
    "device",
    scanners.map((one) => [one.id, deviceName(one), one.id === recall("device")]),
    { "aria-label": say("device") },
  );
  const state = make("p", { role: "status" }, say("rescanHint", { number }));
  async function begin(order) {
    state.textContent = say("rescanRuns");
    try {
      await take(await captured({ ...order, title }));
    } finally {
      state.textContent = say("rescanHint", { number });
    }
  }
  const photo = told(async (files) => {
    if (files.length) await begin({ uploads: [await send(files[0])] });
  });
  return make(
    "form",
    {
      class: "jam asks merging",
      "aria-label": say("rescan"),
      onsubmit: press(() => begin(orderFor(device.value))),
    },
    state,
    scanners.length ? device : undefined,
    row(
      scanners.length ? make("button", { class: "main" }, say("scanNow")) : undefined,
      fileButton("photo", say("choosePicture"), fileInput(photo, { accept: "image/*" })),
      cancelButton(leave),
    ),
  );
}
