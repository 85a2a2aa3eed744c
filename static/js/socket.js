/**
 * The line to the server. It acknowledges, resends and resumes: a frame that changes something is kept
 * until the server has answered it by its id, and is sent again after every reconnect, so a cut line can
 * neither lose an action nor do it twice.
 */

import { uuid } from "./dom.js";
import { gettext } from "./words.js";

/** @typedef {"connecting" | "open" | "lost" | "ended"} LineState */
/** @typedef {{type: string, id?: string, seq?: number, data?: any}} Answer */
/**
 * @typedef {object} LineOptions
 * @property {string} url path of the socket
 * @property {() => number} since the last sequence number that this page holds
 * @property {(frame: import("./fold.js").Frame) => void} onFrame called for every frame of the log, in order
 * @property {(state: LineState, why: string, signedOut?: boolean) => void} onState
 * @property {(hello: any) => void} [onHello]
 * @property {(data: any) => void} [onHints] what a coach could whisper now
 * @property {(data: {after: number, text: string}) => void} [onDraft] a reply as far as it has been said
 * @property {(data: any) => void} [onOptions] what can be ordered now, at the board
 * @property {(data: any) => void} [onTable] how the table stands, at a table for three
 */

const LASTING = new Set(["act", "accept", "walk_away", "whisper", "say", "order", "withdraw", "name", "odds"]);
const SIGNED_OUT = 4401;
const ENDINGS = /** @type {Record<number, string>} */ ({
  [SIGNED_OUT]: gettext("You have been signed out."),
  4403: gettext("This deal belongs to another player."),
  4404: gettext("This deal does not exist any more."),
  4410: gettext("This link has expired or was withdrawn."),
});
const PING_EVERY = 12_000;
/** How long the line may be silent while something is to come: an answer, a pong, the first word after it was opened. */
const HEARD_WITHIN = 3_500;
const PATIENCE_AT_MOST = 30_000;
const MAX_WAIT = 8_000;
/** A house brings back a part in seconds: so long it is asked every second at least. */
const SOON = 10_000;
const SOON_WAIT = 1_000;

/** What a frame is answered that no server will answer. @param {string} id @returns {Answer} */
const unsent = (id) => ({ type: "error", id, data: { code: "unsent", message: gettext("That was not sent. Your words are kept."), field: null } });

/** @param {LineOptions} options */
export function openLine(options) {
  /** @type {Map<string, {frame: any, resolve: (answer: Answer) => void}>} */
  const waiting = new Map();
  /** @type {WebSocket | null} */
  let socket = null;
  let attempts = 0;
  let ended = false;
  let retry = 0;
  let heartbeat = 0;
  let overdue = 0;
  let patience = HEARD_WITHIN;
  let lostAt = 0;

  function connect() {
    clearTimeout(retry);
    if (ended || socket) return;
    if (attempts === 0) options.onState("connecting", "");
    const address = new URL(options.url, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("since", String(options.since()));
    address.searchParams.set("batch", "1");
    const line = new WebSocket(address);
    socket = line;
    expect();
    line.addEventListener("open", () => {
      if (line === socket) heartbeat = window.setInterval(ping, PING_EVERY);
    });
    line.addEventListener("message", (event) => {
      if (line !== socket) return;
      heard();
      const said = JSON.parse(event.data);
      for (const frame of Array.isArray(said) ? said : [said]) receive(frame);
      if (waiting.size) expect();
    });
    line.addEventListener("close", (event) => {
      if (line === socket) dropped(event.code);
    });
  }

  /** @param {any} frame */
  function receive(frame) {
    if (frame.seq !== undefined && frame.type !== "ack") {
      if (frame.seq > options.since() + 1) post({ id: uuid(), type: "resume", data: { since: options.since() } });
      else options.onFrame(frame);
      return;
    }
    if (frame.type === "hello") {
      attempts = 0;
      options.onState("open", "");
      options.onHello?.(frame.data);
      lostAt = 0;
      for (const { frame: unanswered } of waiting.values()) post(unanswered);
    } else if (frame.type === "pong") {
      patience = HEARD_WITHIN;
    } else if (frame.type === "hints") {
      options.onHints?.(frame.data);
    } else if (frame.type === "draft") {
      options.onDraft?.(frame.data);
    } else if (frame.type === "options") {
      options.onOptions?.(frame.data);
    } else if (frame.type === "table") {
      options.onTable?.(frame.data);
    } else if (frame.type === "closing") {
      if (frame.data?.message) options.onState("lost", frame.data.message);
    } else if (frame.id && waiting.has(frame.id)) {
      const entry = waiting.get(frame.id);
      waiting.delete(frame.id);
      patience = HEARD_WITHIN;
      entry?.resolve(frame);
    }
  }

  function ping() {
    post({ id: uuid(), type: "ping", data: {} });
  }

  /** @param {any} frame */
  function post(frame) {
    if (socket?.readyState !== WebSocket.OPEN) return;
    socket.send(JSON.stringify(frame));
    expect();
  }

  /** Something is to come over the line; where nothing does, it is dead. Who is only slow is given twice as long next time. */
  function expect() {
    overdue ||= window.setTimeout(() => {
      patience = Math.min(2 * patience, PATIENCE_AT_MOST);
      hangUp();
    }, patience);
  }

  function heard() {
    clearTimeout(overdue);
    overdue = 0;
  }

  /** Treat the line as cut without waiting for the network to notice. */
  function hangUp() {
    const line = socket;
    dropped(0);
    line?.close();
  }

  /** @param {number} code */
  function dropped(code) {
    socket = null;
    clearInterval(heartbeat);
    clearTimeout(overdue);
    overdue = 0;
    for (const [id, entry] of waiting) {
      if (!LASTING.has(entry.frame.type)) {
        waiting.delete(id);
        entry.resolve({ type: "lost", id });
      }
    }
    if (ENDINGS[code]) {
      ended = true;
      for (const [id, entry] of waiting) entry.resolve(unsent(id));
      waiting.clear();
      options.onState("ended", ENDINGS[code], code === SIGNED_OUT);
      return;
    }
    attempts += 1;
    lostAt ||= performance.now();
    options.onState("lost", "");
    const most = performance.now() - lostAt < SOON ? SOON_WAIT : MAX_WAIT;
    const wait = Math.min(most, 125 * 2 ** Math.min(attempts, 6)) * (0.75 + Math.random() / 2);
    retry = window.setTimeout(connect, code === 4429 ? MAX_WAIT : wait);
  }

  window.addEventListener("offline", () => socket && hangUp());
  window.addEventListener("online", connect);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) connect();
  });
  connect();

  return {
    /**
     * Send a frame; resolves with the server's answer to it, after as many reconnects as it takes; with an error where
     * nothing will be answered any more.
     * @param {string} type
     * @param {any} data
     * @returns {Promise<Answer>}
     */
    send(type, data) {
      const frame = { id: uuid(), type, data };
      return new Promise((resolve) => {
        waiting.set(frame.id, { frame, resolve });
        if (socket?.readyState === WebSocket.OPEN) post(frame);
        else if (ended || !LASTING.has(type)) {
          waiting.delete(frame.id);
          resolve(ended ? unsent(frame.id) : { type: "lost", id: frame.id });
        }
      });
    },
  };
}
