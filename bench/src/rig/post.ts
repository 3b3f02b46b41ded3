import { Pool } from "undici";

export interface Answer {
  status: number;
  text: string;
}

/** POSTs on kept connections with as little cost as the client library allows. */
export class Poster {
  readonly #pool: Pool;
  readonly #headers: Record<string, string>;

  constructor(origin: string, connections: number, headers: Record<string, string> = {}) {
    this.#pool = new Pool(origin, { connections, pipelining: 1 });
    this.#headers = { "content-type": "application/json", ...headers };
  }

  send(path: string, body: string, headers?: Record<string, string>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      let status = 0;
      let text = "";
      this.#pool.dispatch(
        {
          path,
          method: "POST",
          headers: headers === undefined ? this.#headers : { ...this.#headers, ...headers },
          body,
        },
        {
          onRequestStart: () => {},
          onResponseStart: (_controller, code) => void (status = code),
          onResponseData: (_controller, chunk) => void (text += chunk.toString("latin1")),
          onResponseEnd: () => resolve({ status, text }),
          onResponseError: (_controller, error) => reject(error),
        },
      );
    });
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
