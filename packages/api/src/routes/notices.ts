import { Type } from "typebox";
import { actingOwner } from "../auth/actor.ts";
import { withInstants } from "../request/instant.ts";
import { operation } from "../document/operation.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import { NoticeView } from "../schemas/administration.ts";
import { ActingFor, closed, limit, ref } from "../schemas/fields.ts";

export function noticeRoutes(app: ApiInstance, { deps }: RouteContext): void {
  app.get(
    "/notices",
    operation({
      id: "listNotices",
      summary: "Notices above a number, oldest first",
      description:
        "Keep `after` of each answer and ask again with it: that is a feed without gaps, and owners can be told. A notice is kept for 30 days at least.",
      tag: "notices",
      scope: "notices:read",
      query: closed({
        ownerId: ActingFor,
        after: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            default: 0,
            description: "`after` of the answer before; 0: from the oldest notice on",
          }),
        ),
        limit: limit(100),
      }),
      answers: {
        200: Type.Object({
          items: Type.Array(ref(NoticeView)),
          after: Type.Integer({ description: "For the next question" }),
        }),
      },
    }),
    async (request) => {
      const { after = 0, limit: size = 100 } = request.query;
      const ownerId = actingOwner(request);
      const notices = await deps.store.notices.list(after, size, ownerId);
      return {
        items: notices.map(withInstants),
        after: notices.at(-1)?.no ?? after,
      };
    },
  );
}
