import { MarkethookError } from "@markethook/protocol";
import type { ErasurePosition } from "@markethook/store";
import { actingStore } from "../auth/actor.ts";
import { operation } from "../document/operation.ts";
import type { ApiInstance, RouteContext } from "../route-context.ts";
import { EraseAnswer, UserId } from "../schemas/audit.ts";
import { closed, StepsBody } from "../schemas/fields.ts";

/** Limits of one request, whichever is reached first; a step is a transaction and reads 5,000 rows. */
const STEPS = 20;
const EVENTS = 250;

interface Totals {
  events: number;
  deliveries: number;
  cancelled: number;
  examined: number;
}

export function userRoutes(app: ApiInstance, { deps, cursors }: RouteContext): void {
  app.post(
    "/users/:id/erase",
    operation({
      id: "eraseUser",
      summary: "Take one user out of what is stored",
      description:
        "Erases their id and `details` in events, and the stored requests and answers. Events keep their form, with the user 0. Deliveries that are not sent yet are cancelled. Each request does a part of it; repeat with the `cursor` of the answer until that is null. `dryRun` counts.",
      tag: "users",
      scope: "users:erase",
      params: closed({ id: UserId }),
      body: StepsBody,
      bodyOptional: true,
      answers: { 200: EraseAnswer },
      errors: ["cursor_invalid", "not_found"],
    }),
    async (request) => {
      const userId = Number(request.params.id);
      if (!Number.isSafeInteger(userId)) throw new MarkethookError("not_found");
      const { erasure } = actingStore(deps, request);
      const { dryRun = false, cursor } = request.body;
      const binding = { list: "erasure", ownerId: null, filter: [userId, dryRun] };
      const begun = cursor === undefined ? null : readCursor(cursors.read(binding, cursor));
      const totals = begun?.totals ?? { events: 0, deliveries: 0, cancelled: 0, examined: 0 };
      let position = begun?.position ?? null;
      let open = 0;
      for (let step = 0; step < STEPS && totals.events < (begun?.totals.events ?? 0) + EVENTS;) {
        const part = await (dryRun
          ? erasure.count(userId, position)
          : erasure.step(userId, position));
        totals.events += part.events;
        totals.deliveries += part.deliveries;
        totals.cancelled += part.cancelled;
        totals.examined += part.examined;
        open += part.open;
        position = part.next;
        // Open requests need a moment.
        if (position === null || part.again) break;
        step += 1;
      }
      if (position !== null) {
        return {
          ...totals,
          open,
          cursor: cursors.write(binding, [JSON.stringify({ position, totals })]),
        };
      }
      const { events, deliveries } = totals;
      if (!dryRun) await erasure.finish(userId, { events, deliveries });
      return { ...totals, open, cursor: null };
    },
  );
}

function readCursor([text]: (number | string)[]): { position: ErasurePosition; totals: Totals } {
  // We encrypted it with this content.
  return JSON.parse(String(text)) as { position: ErasurePosition; totals: Totals };
}
