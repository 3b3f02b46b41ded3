import type { IncomingMessage } from "node:http";

/** A client that announces more is refused at once. */
const MOST_BYTES = 32 * 1024 * 1024;
/** It sends nothing more: it waits for the answer. */
const SILENCE_MS = 300;
const LONGEST_MS = 10_000;

/**
 * Reads the body of a request that is refused, and throws it away. Most clients write the whole body before they read:
 * to such a client a connection that is closed before is a broken one, and not the refusal that tells what is wrong.
 */
export function discardBody(request: IncomingMessage, length: number, done: () => void): void {
  if (length > MOST_BYTES) return done();
  let silence = setTimeout(finish, SILENCE_MS);
  const longest = setTimeout(finish, LONGEST_MS);
  function onData(): void {
    clearTimeout(silence);
    silence = setTimeout(finish, SILENCE_MS);
  }
  function finish(): void {
    clearTimeout(silence);
    clearTimeout(longest);
    request.off("data", onData).off("end", finish).off("close", finish);
    done();
  }
  request.on("data", onData).once("end", finish).once("close", finish);
}
