import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createEncryption, hostOf } from "@markethook/store/testing";
import { MAIN } from "../built-command.ts";
import { type Inside, SERVICE_ADDRESS } from "./network.ts";

const ADDRESS = `http://${SERVICE_ADDRESS}:8099`;
export const PUBLIC_URL = `${ADDRESS}/hooks-service`;

/** `markethook serve` inside, with its guard on; the API is called from outside. */
export class LabService {
  readonly #inside: Inside;
  readonly #folder: string;
  readonly #apiKey: string;
  readonly #masterKey = randomBytes(32);
  #child: ChildProcess | null = null;

  constructor(inside: Inside, folder: string, apiKey: string) {
    this.#inside = inside;
    this.#folder = folder;
    this.#apiKey = apiKey;
  }

  async start(): Promise<void> {
    const child = this.#inside.run([process.execPath, MAIN, "serve"], {
      MARKETHOOK_HOST: SERVICE_ADDRESS,
      MARKETHOOK_PORT: "8099",
      MARKETHOOK_PUBLIC_URL: PUBLIC_URL,
      MARKETHOOK_BASE_URL: "https://market.example",
      MARKETHOOK_DATA_DIR: this.#folder,
      MARKETHOOK_API_KEY: this.#apiKey,
      MARKETHOOK_MASTER_KEY: this.#masterKey.toString("base64"),
      // The lab pings and checks far more for one owner than a person would.
      MARKETHOOK_OWNER_PINGS: "0",
      MARKETHOOK_OWNER_CHECKUPS: "0",
      MARKETHOOK_OWNER_URL_CHECKS: "0",
      // Two attempts, one right after the other, so that deliveries end and can be sent again.
      MARKETHOOK_RETRY_SCHEDULE: "200ms",
    });
    this.#child = child;
    let errors = "";
    child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    await new Promise<void>((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`the service ended with ${code}: ${errors}`)));
      if (child.stdout === null) return;
      createInterface({ input: child.stdout }).on("line", (line) => {
        if (line.includes('"listening"')) resolve();
      });
    });
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  }

  /** Puts URLs into the store that no entry path lets in, as if they had been saved before there was a guard. */
  plant(urls: ReadonlyMap<string, string>): void {
    const file = join(this.#folder, "markethook.sqlite");
    const database = new DatabaseSync(file);
    const encryption = createEncryption([this.#masterKey]);
    const change = database.prepare("update webhooks set url = ?, host = ? where id = ?");
    database.exec("begin");
    for (const [id, url] of urls) change.run(encryption.encrypt(url, id), hostOf(url), id);
    database.exec("commit");
    database.close();
  }

  /** The answer's status and body, whatever they are. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    token = this.#apiKey,
  ): Promise<{ status: number; body: Answer }> {
    const request = {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    // A kept connection may be one to the process before; made twice, nothing here is worth less.
    const response = await fetch(ADDRESS + path, request).catch(() =>
      fetch(ADDRESS + path, request),
    );
    const text = await response.text();
    // Only the members below are read, and each reader says what is wrong when one is not there.
    return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as Answer };
  }
}

/** What is read of the API's answers. */
export interface Answer {
  id?: string;
  ok?: boolean;
  code?: string;
  detail?: string;
  title?: string;
  outcome?: string;
  verdict?: string;
  sentence?: string;
  state?: string;
  url?: string;
  token?: string;
  sent?: number;
  faults?: { code: string; sentence: string }[];
  results?: { status: string; code?: string }[];
  items?: { id: string; state: string; origin: string; lastOutcome: string | null }[];
  cursor?: string | null;
  attemptList?: { outcome: string; status: number | null; operatorDetail?: string }[];
}
