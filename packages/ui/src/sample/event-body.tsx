import type { ReportedEventName } from "@markethook/protocol/event-names";
import { useState } from "react";
import { useRead } from "../api/query-cache.ts";
import { BodyView } from "../exchange/body-view.tsx";
import { useSession } from "../session/session.ts";
import { ErrorNotice } from "../shared/panels.tsx";
import { eventTitle } from "../shared/code-words.ts";
import { words } from "../words/words.ts";
import { ownUserId, sampleBody, sampleNonce } from "./sample-body.ts";

export interface EventBodyProps {
  event: ReportedEventName;
  resourceId: string;
  /** As at a webhook that gets the details of events. */
  withDetails: boolean;
  /** The buyer of a user event; the owner's own id by default. */
  userId?: number;
}

/** The body of an event as it would be sent about the owner's resource; nothing is sent. */
export function EventBody({ event, resourceId, withDetails, userId }: EventBodyProps) {
  const { info } = useSession();
  const resource = useRead(["resource", resourceId], (client, signal) =>
    client.resources.get(resourceId, { signal }),
  );
  const [made] = useState(() => ({
    now: Date.now(),
    nonce: sampleNonce(crypto.getRandomValues(new Uint8Array(12))),
  }));
  if (resource.data === undefined) return <ErrorNotice error={resource.error} />;
  const buyer = userId ?? ownUserId(info.ownerId);
  const body = sampleBody({ event, userId: buyer, withDetails }, resource.data, made);
  return <BodyView label={words.sample.bodyOf(eventTitle(event))} body={body} />;
}
