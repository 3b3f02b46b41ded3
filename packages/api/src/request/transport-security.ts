import type { FastifyInstance } from "fastify";

const YEAR_SECONDS = 31_536_000;

/** If browsers reach this service by https, its answers tell them never to use http. */
export function useTransportSecurity(app: FastifyInstance, publicUrl: () => string): void {
  // Read at the first answer: it may be the listening address, which is not known before.
  let secure: boolean | null = null;
  app.addHook("onSend", (_request, reply, _payload, done) => {
    secure ??= publicUrl().startsWith("https:");
    if (secure) reply.header("strict-transport-security", `max-age=${YEAR_SECONDS}`);
    done();
  });
}
