// Follows what happens on the daemon's side.

const listeners = new Set();
let source;
let onState = () => {};

/** Hears every event from now on; returns the way to stop. */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** `state` is told whether the connection stands. */
export function follow(since, state) {
  onState = state;
  source?.close();
  source = new EventSource(`/api/events?since=${since}`);
  source.onopen = () => onState(true);
  source.onerror = () => onState(false);
  source.onmessage = (message) => {
    const event = JSON.parse(message.data);
    for (const listener of listeners) listener(event);
  };
}

// a page that goes into the background cache must not keep its connection
addEventListener("pagehide", () => source?.close());
