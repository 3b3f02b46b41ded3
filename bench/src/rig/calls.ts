import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What a child offers: each takes one value and answers one. */
export type Calls = Record<string, (input: never) => unknown>;

interface Request {
  id: number;
  name: string;
  input: unknown;
}

interface Reply {
  id: number;
  value?: unknown;
  error?: string;
}

/** The other side of a fork: answers its parent's calls, and ends with it. */
export function serveCalls(calls: Calls): void {
  process.on("disconnect", () => process.exit());
  process.on("message", (request: Request) => void answer(request));

  async function answer({ id, name, input }: Request): Promise<void> {
    const call = calls[name] as ((input: unknown) => unknown) | undefined;
    const reply: Reply = { id };
    try {
      reply.value = await call?.(input);
    } catch (error) {
      reply.error = error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
    process.send?.(reply);
  }
}

export interface Child<C extends Calls> {
  pid: number;
  call<Name extends keyof C & string>(
    name: Name,
    input: Parameters<C[Name]>[0],
  ): Promise<Awaited<ReturnType<C[Name]>>>;
  stop(): Promise<void>;
}

/** Starts a module of this folder as a process of its own. */
export function startChild<C extends Calls>(module: string, args: string[] = []): Child<C> {
  const path = fileURLToPath(new URL(module, import.meta.url));
  const child = fork(path, args, { serialization: "advanced" });
  const open = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let nextId = 1;
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.on("message", (reply: Reply) => {
    const call = open.get(reply.id);
    open.delete(reply.id);
    if (reply.error === undefined) call?.resolve(reply.value);
    else call?.reject(new Error(`${module}: ${reply.error}`));
  });
  child.on("exit", (code) => {
    for (const call of open.values()) call.reject(new Error(`${module} ended with ${code}`));
    open.clear();
  });
  return {
    pid: child.pid ?? 0,
    call(name, input) {
      const id = nextId;
      nextId += 1;
      return new Promise((resolve, reject) => {
        open.set(id, { resolve, reject });
        child.send({ id, name, input });
      });
    },
    async stop() {
      child.disconnect();
      await exited;
    },
  };
}
