import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";

export interface ReceiverCommand {
  command: string;
  arguments: readonly string[];
  /** Given on its standard input. */
  input?: string;
  port: number;
  /** Null: the variable is not set. */
  secret: string | null;
  environment?: Readonly<Record<string, string>>;
  /** The line after which it takes connections; null where it says none, and is asked until it answers. */
  ready: RegExp | null;
}

export interface RunningReceiver {
  url: string;
  /** Lines that it printed. */
  heard: readonly string[];
  /** Resolves when it has printed a line with this in it. */
  says: (text: string) => Promise<void>;
  /** Stops its process until `resume`, as if it were busy. */
  pause: () => void;
  resume: () => void;
  stop: () => Promise<void>;
}

/** Resolves when somebody takes connections there, or nobody is waited for any more. */
async function answers(port: number, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const socket = connect(port, "127.0.0.1");
    const isThere = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isThere) return;
    await setTimeout(10);
  }
}

/** Resolves when the receiver says that it listens, and rejects with what it said where it ends before. */
export async function startReceiver(receiver: ReceiverCommand): Promise<RunningReceiver> {
  const { WEBHOOK_SECRET: _, ...inherited } = process.env;
  const child: ChildProcess = spawn(receiver.command, receiver.arguments, {
    env: {
      ...inherited,
      ...receiver.environment,
      ...(receiver.secret === null ? {} : { WEBHOOK_SECRET: receiver.secret }),
      PORT: String(receiver.port),
    },
    stdio: "pipe",
  });
  const heard: string[] = [];
  const lines = new EventEmitter();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    assert.ok(stream);
    createInterface({ input: stream }).on("line", (line) => {
      heard.push(line);
      lines.emit("line");
      if (receiver.ready?.test(line) === true) resolve();
    });
  }
  child.once("error", reject);
  const ended = new AbortController();
  const closed = once(child, "close").then(() => ended.abort());
  child.once("close", () => reject(new Error(`The receiver ended: ${heard.join("\n")}`)));
  // One that ends at once need not have read what it was given.
  child.stdin?.on("error", () => undefined).end(receiver.input ?? "");
  await Promise.race([
    promise,
    ...(receiver.ready === null ? [answers(receiver.port, ended.signal)] : []),
  ]);
  return {
    url: `http://127.0.0.1:${receiver.port}/any/path`,
    heard,
    async says(text) {
      while (!heard.some((line) => line.includes(text))) await once(lines, "line");
    },
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    async stop() {
      if (!ended.signal.aborted) child.kill("SIGKILL");
      await closed;
    },
  };
}
