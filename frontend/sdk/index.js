/** The page's side of the postMessage API v1 of a shared work. index.d.ts has the types. */

/** A call without a response in this time fails: the model may be large. */
const PATIENCE_MS = 60_000;

export function embed(holder, { url, title = "三维模型" }) {
  const frame = document.createElement("iframe");
  frame.src = url;
  frame.title = title;
  frame.allow = "fullscreen";
  // The share may be restricted to this site, so it needs the origin whatever the page's policy is.
  frame.referrerPolicy = "strict-origin-when-cross-origin";
  // Through the object model: a strict policy refuses a style attribute.
  Object.assign(frame.style, { width: "100%", height: "100%", border: "0", display: "block" });
  // Before it is in the page: its first message must not be missed.
  const viewer = connect(frame);
  holder.append(frame);
  return viewer;
}

export function connect(frame) {
  const origin = new URL(frame.src, location.href).origin;
  const waiting = new Map();
  const listeners = new Map();
  let last = 0;
  let open = false;

  const post = (message) => frame.contentWindow?.postMessage(message, origin);
  const settle = (id, how, value) => {
    const one = waiting.get(id);
    if (!one) return;
    waiting.delete(id);
    clearTimeout(one.timer);
    one[how](value);
  };
  const begin = () => {
    open = true;
    // An empty call makes the frame know this page and send it events.
    post({ xl: 1, id: 0, call: "hello" });
    for (const { message } of waiting.values()) post(message);
  };
  const hear = ({ source, origin: from, data }) => {
    if (source !== frame.contentWindow || from !== origin || data?.xl !== 1) return;
    if (data.event === "hello") begin();
    else if (typeof data.event === "string")
      for (const listener of listeners.get(data.event) ?? []) listener(data.data);
    else if (data.id === 0) {
      if (!open) begin();
    } else if ("error" in data) settle(data.id, "reject", new Error(data.error));
    else settle(data.id, "resolve", data.ok);
  };
  const close = () => {
    removeEventListener("message", hear);
    for (const id of waiting.keys()) settle(id, "reject", new Error("closed"));
  };
  addEventListener("message", hear);
  // A frame older than this script sent its hello before anything listened.
  post({ xl: 1, id: 0, call: "hello" });

  return {
    frame,
    call(name, args = {}) {
      last += 1;
      const id = last;
      const message = { xl: 1, id, call: name, args };
      return new Promise((resolve, reject) => {
        const late = () => settle(id, "reject", new Error(`no answer to ${name}`));
        waiting.set(id, { message, resolve, reject, timer: setTimeout(late, PATIENCE_MS) });
        if (open) post(message);
      });
    },
    on(event, listener) {
      const known = listeners.get(event) ?? new Set();
      listeners.set(event, known.add(listener));
      return () => known.delete(listener);
    },
    close,
    remove() {
      close();
      frame.remove();
    },
  };
}
