import { Button } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import { Notice } from "../shared/panels.tsx";
import { UserText, When } from "../shared/inline-text.tsx";
import { useSession } from "./session.ts";
import classes from "../app/portal-frame.module.css";
import { useEntry } from "./entry.ts";
import { type Ending, useRenewal } from "./use-renewal.ts";
import { words } from "../words/first-words.ts";

/** What must be said about the session itself: that it ends soon, and that it is not whose it was. */
export function SessionNotices() {
  const session = useSession();
  const ending = useRenewal(session);
  const [told, setTold] = useState(false);
  const isChanged = session.ownerChanged && !told;
  const isNear = ending?.isNear === true;
  return (
    <div role="status" className={isChanged || isNear ? classes["place"] : undefined}>
      {isChanged ? (
        <Notice
          kind="warn"
          title={words.session.otherAccount}
          action={
            <Button size="xs" variant="default" onClick={() => setTold(true)}>
              {words.session.ok}
            </Button>
          }
        >
          {words.session.itIs(<UserText>{session.info.ownerId ?? ""}</UserText>)}
        </Notice>
      ) : null}
      {ending !== null && isNear ? <NearEnd ending={ending} /> : null}
    </div>
  );
}

function NearEnd({ ending }: { ending: Ending }) {
  const place = useRouterState({ select: ({ location }) => location.href });
  const entry = useEntry(place);
  return (
    <Notice
      kind="warn"
      title={words.session.ends(<When at={new Date(ending.endsAt).toISOString()} ahead />)}
      action={
        ending.canRenew ? (
          <Button size="xs" onClick={ending.renew}>
            {words.session.goOn}
          </Button>
        ) : entry === null ? undefined : (
          <Button size="xs" component="a" href={entry} target="_top">
            {words.session.beginNew}
          </Button>
        )
      }
    >
      {words.session.typedIsKept}
    </Notice>
  );
}
