import type { FastifyInstance } from "fastify";
import type { AppDeps } from "../app-deps.ts";

const DAY_MS = 86_400_000;
/** The standard asks for less than a year; the promise ends when the service no longer runs. */
const VALID_DAYS = 180;

/** The contact for vulnerabilities of this service (RFC 9116). Without a contact there is no such file. */
export function securityTxtRoute(app: FastifyInstance, deps: AppDeps): void {
  const { securityContact } = deps;
  if (securityContact === null) return;
  app.get("/.well-known/security.txt", { schema: { hide: true } }, (_request, reply) => {
    const today = Math.floor(deps.nowMs() / DAY_MS);
    const expires = new Date((today + VALID_DAYS) * DAY_MS).toISOString();
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires}`,
      "Preferred-Languages: en",
      `Canonical: ${deps.publicUrl()}/.well-known/security.txt`,
    ];
    return reply
      .header("cache-control", "max-age=86400")
      .type("text/plain; charset=utf-8")
      .send(`${lines.join("\n")}\n`);
  });
}
