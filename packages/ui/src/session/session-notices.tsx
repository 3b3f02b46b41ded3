import { Button } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { useState } from "react";
import { Notice } from "../shared/notice.tsx";
import { When } from "../shared/when.tsx";
import { UserText } from "../shared/user-text.tsx";
import { useSession } from "./session-context.ts";
import classes from "./session-notices.module.css";
import { useEntry } from "./use-entry.ts";
import { type Ending, useRenewal } from "./use-renewal.ts";

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
          title="This tab shows another account now"
          action={
            <Button size="compact-sm" variant="default" onClick={() => setTold(true)}>
              OK
            </Button>
          }
        >
          It is <UserText>{session.info.ownerId ?? ""}</UserText>. What was typed for the one before
          and not saved is gone.
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
      title={
        <>
          Your session ends <When at={new Date(ending.endsAt).toISOString()} />
        </>
      }
      action={action(ending, entry)}
    >
      What you have typed is kept in this tab.
    </Notice>
  );
}

function action(ending: Ending, entry: string | null) {
  if (ending.canRenew) {
    return (
      <Button size="compact-sm" onClick={ending.renew}>
        Go on
      </Button>
    );
  }
  if (entry === null) return undefined;
  return (
    <Button size="compact-sm" component="a" href={entry} target="_top">
      Begin a new one
    </Button>
  );
}
