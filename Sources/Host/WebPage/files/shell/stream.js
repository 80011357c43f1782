// Events of the host that continue after the connection was lost, in a page or in a worker.

// True when the host answers and needs a token first.
async function isBarred() {
  const answer = await fetch("/api/v1/aliases").catch(() => undefined);
  return answer?.status === 401;
}

// Passes events of the host to `take(name, value)`, until the returned function is called.
// `onLink(isThere, isAgain)` is called when the connection is lost or made, perhaps again;
// `onBarred` when the host needs a token.
//
// The browser itself reconnects with the number of the last event. But it gives up at any other
// answer than events, for example from a host that is ending, or a proxy. Then this code
// reconnects, without knowing the events in between; but not in the sign-in view, after which the
// page is reloaded.
export function openStream(path, names, { take, onLink, onBarred = () => {} }) {
  const pause = 2000;
  let source;
  let timer;
  // "whole", "cut" until the host answers again, or "left" for good.
  let link = "whole";
  const open = (isReset) => {
    source = new EventSource("/api/v1/" + path);
    source.onopen = () => {
      onLink(true, link === "cut");
      link = "whole";
      if (isReset) take("reset", {});
      isReset = false;
    };
    source.onerror = async () => {
      const isOver = source.readyState === EventSource.CLOSED;
      if (isOver && await isBarred()) return onBarred();
      if (link === "left") return;
      link = "cut";
      onLink(false, false);
      if (isOver) timer = setTimeout(open, pause, true);
    };
    for (const name of names) {
      source.addEventListener(name, (event) => take(name, JSON.parse(event.data)));
    }
  };
  open(false);
  return () => {
    link = "left";
    clearTimeout(timer);
    source.close();
  };
}
