import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";

export interface ReceiverCommand {
  command: string;
  arguments: readonly string[];
  /** Given on its standard input. */
  input?: string;
  port: number;
  secret: string;
  /** The line after which it takes connections. */
  ready: RegExp;
}

export interface RunningReceiver {
  url: string;
  stop: () => void;
}

/** A port of 127.0.0.1 that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  server.close();
  await once(server, "close");
  return address.port;
}

/** Resolves when the receiver says that it listens, and rejects with what it said where it ends before. */
export async function startReceiver(receiver: ReceiverCommand): Promise<RunningReceiver> {
  const child: ChildProcess = spawn(receiver.command, receiver.arguments, {
    env: {
      ...process.env,
      WEBHOOK_SECRET: receiver.secret,
      PORT: String(receiver.port),
    },
    stdio: "pipe",
  });
  const heard: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    assert.ok(stream);
    createInterface({ input: stream }).on("line", (line) => {
      heard.push(line);
      if (receiver.ready.test(line)) resolve();
    });
  }
  child.once("error", reject);
  child.once("close", () => reject(new Error(`The receiver ended: ${heard.join("\n")}`)));
  // One that ends at once need not have read what it was given.
  child.stdin?.on("error", () => undefined).end(receiver.input ?? "");
  await promise;
  return {
    url: `http://127.0.0.1:${receiver.port}/any/path`,
    stop: () => void child.kill("SIGKILL"),
  };
}
