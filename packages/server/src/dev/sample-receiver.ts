import { createServer, type Server } from "node:http";
import { MarkethookError } from "@markethook/protocol";
import { createNodeHandler } from "@markethook/receiver/node";

export interface SampleReceiver {
  url: string;
  close(): Promise<void>;
}

/** A receiver as an owner would write it, on the receiver library; it prints what arrives. */
export async function startSampleReceiver(options: {
  port: number;
  serviceName: string;
  /** The current secret of the sample webhook, and the new one during a rotation. */
  secrets(): Promise<string[]>;
  print(line: string): void;
}): Promise<SampleReceiver> {
  const handler = createNodeHandler({
    serviceName: options.serviceName,
    secrets: () => options.secrets(),
    onEvent({ event, id, attempt }) {
      const { product } = event.payload;
      const about = "user" in event.payload ? ` by user ${event.payload.user.id}` : "";
      options.print(
        `receiver: verified ${event.event} of “${product.title}”${about} · ${id ?? ""} · attempt ${attempt ?? 1}`,
      );
    },
    onRejected({ code, sentence }) {
      options.print(`receiver: refused a request: ${sentence} [${code}]`);
    },
  });
  const server: Server = createServer((request, response) => void handler(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === "EADDRINUSE";
      const detail = `127.0.0.1:${options.port}, for the sample receiver, is taken: set MARKETHOOK_SAMPLE_PORT.`;
      reject(taken ? new MarkethookError("address_in_use", { detail, cause }) : cause);
    });
    server.listen(options.port, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : options.port;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
