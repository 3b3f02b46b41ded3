import type { FastifyInstance, FastifyReply } from "fastify";

const POLICY = {
  "default-src": "'none'",
  "style-src": "'self'",
  "img-src": "data:",
  "form-action": "'self'",
  "base-uri": "'none'",
  "frame-ancestors": "'none'",
};

/** Pages without scripts, but for one, that nobody can put into a frame, and forms that only this site's own pages can send. */
export function addSecurityHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    void reply.headers({
      "content-security-policy": policyText(POLICY),
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cache-control": "no-store",
    });
    if (request.method !== "POST") return;
    const { origin, host, "sec-fetch-site": site = "none" } = request.headers;
    const isForeign =
      site === "none" ? origin !== undefined && hostOf(origin) !== host : site !== "same-origin";
    if (isForeign) {
      await reply
        .code(403)
        .type("text/plain; charset=utf-8")
        .send("Another site sent this form.\n");
    }
  });
}

/** For this answer, lets pages of this origin stand in a frame, and our own script fit it. */
export function allowFrame(reply: FastifyReply, origin: string): void {
  void reply.header(
    "content-security-policy",
    policyText({ ...POLICY, "script-src": "'self'", "frame-src": origin }),
  );
}

function policyText(policy: Readonly<Record<string, string>>): string {
  return Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}

/** "null", as sandboxed pages say, has none. */
function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
