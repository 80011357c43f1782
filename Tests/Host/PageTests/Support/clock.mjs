// Time that passes only when a test says so.
let now = 0;
let number = 0;
let timers = [];

const begin = (isRepeated) => (work, wait = 0, ...values) => {
  number += 1;
  timers.push({ id: number, at: now + wait, work, values, wait: isRepeated ? wait : undefined });
  return number;
};

const end = (id) => {
  timers = timers.filter((one) => one.id !== id);
};

const settled = globalThis.setImmediate;

// Lets everything happen that waits for no timer.
export async function settle() {
  for (let turn = 0; turn < 12; turn += 1) await new Promise((done) => settled(done));
}

// Lets that many milliseconds pass.
export async function pass(milliseconds) {
  const until = now + milliseconds;
  for (;;) {
    await settle();
    const next = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
    if (!next) break;
    now = next.at;
    if (next.wait === undefined) end(next.id);
    else next.at += next.wait;
    next.work(...next.values);
  }
  now = until;
}

Object.assign(globalThis, {
  setTimeout: begin(false),
  setInterval: begin(true),
  requestAnimationFrame: (work) => begin(false)(work, 16),
  clearTimeout: end,
  clearInterval: end,
});
