import type { FastifyInstance } from "fastify";
import { type Context, personOf, sendPage, sendResource } from "../context.ts";
import { homePage } from "../pages/home-page.ts";
import { findPerson } from "../people.ts";
import { STYLE } from "../style.ts";
import { takeSaveCookie } from "./save-cookie.ts";
import { member, withResource } from "./with-resource.ts";

/** What changes nothing, and who the visitor is. */
export function addBrowsing(app: FastifyInstance, context: Context): void {
  app.get("/", (request, reply) =>
    sendPage(reply, homePage(personOf(request), context.shop.data.resources)),
  );

  app.get("/style.css", (_request, reply) => reply.type("text/css; charset=utf-8").send(STYLE));

  app.get(
    "/resource/:id",
    withResource(context, (resource, _person, request, reply) => {
      takeSaveCookie(request, reply, resource);
      return sendResource(context, request, reply, resource, {
        reportKey: member(request.query, "report"),
        remark: REMARKS[member(request.query, "done")],
      });
    }),
  );

  app.post("/who", (request, reply) => {
    const person = findPerson(member(request.body, "who"));
    if (person !== undefined) {
      const cookie = `market-who=${person.id}; Path=/; HttpOnly; SameSite=Lax`;
      void reply.header("set-cookie", cookie);
    }
    const back = member(request.body, "back");
    return reply.redirect(/^\/resource\/[\w-]{1,64}$/.test(back) ? back : "/", 303);
  });
}

const REMARKS: Readonly<Record<string, string>> = {
  again: "Downloaded again. Only the first download is reported.",
  mine: "Downloaded. An owner's own downloads are not reported.",
  details: "Saved. Later events carry the new words.",
  unchanged: "Nothing to do: this had happened already.",
};
