import { type ServiceProcess, startServiceProcess } from "../service-process.ts";

/** The processes of one service, started as an operator would and ended as a machine does. */
export class Instances {
  readonly count: number;
  readonly #env: (no: number) => Record<string, string>;
  readonly #running: (ServiceProcess | null)[];

  constructor(count: number, env: (no: number) => Record<string, string>) {
    this.count = count;
    this.#env = env;
    this.#running = Array.from({ length: count }, () => null);
  }

  get all(): number[] {
    return this.#running.map((_, no) => no);
  }

  addresses(): string[] {
    return this.#running.flatMap((one) => (one === null ? [] : [one.address]));
  }

  /** Like a supervisor: what cannot start, as its database is away, is started again. */
  async start(no: number): Promise<void> {
    let fault: unknown;
    for (let tries = 0; tries < 30; tries += 1) {
      try {
        this.#running[no] = await startServiceProcess(this.#env(no));
        return;
      } catch (error) {
        fault = error;
      }
    }
    throw fault;
  }

  /** One that is killed after so many ms, wherever it is in its start. */
  async startInVain(no: number, ms: number): Promise<void> {
    const within = ["timeout", "--signal", "KILL", `${ms / 1000}`];
    const started = await startServiceProcess(this.#env(no), within).catch(() => null);
    await started?.exited;
  }

  signal(no: number, name: NodeJS.Signals): void {
    this.#running[no]?.signal(name);
  }

  async end(no: number, name: "SIGKILL" | "SIGTERM"): Promise<void> {
    const one = this.#running[no];
    if (one === null || one === undefined) return;
    this.#running[no] = null;
    one.signal(name);
    await one.exited;
  }
}
