// A worker that all tabs of the page share: each kind of events needs one connection, however many
// tabs listen. A browser allows only six to a host.
import { openStream } from "./stream.js";

// The open streams by their paths, each with the ports of the listening tabs.
const streams = new Map();

function join(port, path, names) {
  const known = streams.get(path);
  if (known) {
    known.ports.add(port);
    if (known.isThere !== undefined) {
      port.postMessage({ path, link: { isThere: known.isThere, isAgain: false } });
    }
    return;
  }
  const stream = { ports: new Set([port]), isThere: undefined };
  const post = (message) => stream.ports.forEach((one) => one.postMessage({ path, ...message }));
  streams.set(path, stream);
  stream.close = openStream(path, names, {
    take: (name, value) => post({ event: { name, value } }),
    onLink(isThere, isAgain) {
      stream.isThere = isThere;
      post({ link: { isThere, isAgain } });
    },
    // The next tab may have signed in.
    onBarred: () => streams.delete(path),
  });
}

function leave(port, path) {
  const stream = streams.get(path);
  if (!stream?.ports.delete(port) || stream.ports.size) return;
  stream.close();
  streams.delete(path);
}

globalThis.onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data: { join: names, path, isGone } }) => {
    if (names) join(port, path, names);
    else if (isGone) { for (const one of [...streams.keys()]) leave(port, one); }
    else leave(port, path);
  };
};
