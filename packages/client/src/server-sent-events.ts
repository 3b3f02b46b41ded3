import { orAborted } from "./until-aborted.ts";

interface ServerSentEvent {
  event: string;
  data: string;
}

/**
 * Reads `text/event-stream` as it comes; `onBytes` is called whenever anything does. Listens to the signal itself, as a
 * `fetch` may no longer hear of it once it has answered.
 */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await orAborted(reader.read(), signal);
      if (done) return;
      onBytes();
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parseBlock(block);
        if (event !== null) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Null for a comment. */
function parseBlock(block: string): ServerSentEvent | null {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    const value = line.slice(colon + 1).replace(/^ /, "");
    if (line.startsWith("event:")) event = value;
    else if (line.startsWith("data:")) data.push(value);
  }
  return data.length === 0 ? null : { event, data: data.join("\n") };
}
