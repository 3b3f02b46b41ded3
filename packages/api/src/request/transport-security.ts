import type { FastifyInstance } from "fastify";

const YEAR_SECONDS = 31_536_000;

/** Where people reach this service by https, their browsers are told never to try without. */
export function useTransportSecurity(app: FastifyInstance, publicUrl: () => string): void {
  // Asked for at the first answer: it may be where the service listens, which is not known before.
  let secure: boolean | null = null;
  app.addHook("onSend", (_request, reply, _payload, done) => {
    secure ??= publicUrl().startsWith("https:");
    if (secure) reply.header("strict-transport-security", `max-age=${YEAR_SECONDS}`);
    done();
  });
}
