import { Button } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { Notice } from "../shared/panels.tsx";
import { UserText, When } from "../shared/inline-text.tsx";
import { type Session, useSession } from "./session.ts";
import classes from "../app/portal-frame.module.css";
import { useEntry } from "./entry.ts";
import { serviceNow, useNow } from "../shared/times.ts";
import { words } from "../words/first-words.ts";

const WARN_MS = 5 * 60_000;
/** Least time between two tries, however busy the reader is. */
const RETRY_MS = 30_000;

/** Notices about the session itself: it ends soon, or it now belongs to another owner. */
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

type Ending = NonNullable<ReturnType<typeof useRenewal>>;

/** Renews a session while somebody uses the page, and tells when its end is near; null: it has none. */
function useRenewal({ client, info, end }: Session) {
  const [expiresAt, setExpiresAt] = useState(info.expiresAt);
  const now = useNow();
  const timeOf = (instant: string | null): number =>
    instant === null ? Infinity : Date.parse(instant);
  const endsAt = timeOf(expiresAt);
  const [span, setSpan] = useState(() => endsAt - now);
  const left = endsAt - now;
  const canRenew = info.renewableUntil !== null && endsAt < timeOf(info.renewableUntil);
  // A session that is shorter than twice this time is warned of in its second half.
  const isNear = left <= Math.min(WARN_MS, span / 2);

  const triedAt = useRef(-Infinity);
  const isRenewing = useRef(false);
  const renew = useCallback(() => {
    // The key that presses "Go on" counts as use too, and would renew a second time.
    if (isRenewing.current) return;
    isRenewing.current = true;
    triedAt.current = performance.now();
    client.portalSessions
      .renewCurrent()
      .then((renewed) => {
        setExpiresAt(renewed.expiresAt);
        setSpan(Date.parse(renewed.expiresAt) - serviceNow());
      })
      // The next use tries again. If the session is over, the client has told the page.
      .catch(() => {})
      .finally(() => {
        isRenewing.current = false;
      });
  }, [client]);

  const isDue = canRenew && left < span / 2;
  useEffect(() => {
    if (!isDue) return;
    const onUse = (): void => {
      if (performance.now() - triedAt.current >= RETRY_MS) renew();
    };
    const events = ["pointerdown", "keydown"] as const;
    for (const name of events) addEventListener(name, onUse, { capture: true, passive: true });
    return () => {
      for (const name of events) removeEventListener(name, onUse, { capture: true });
    };
  }, [isDue, renew]);

  useEffect(() => {
    if (expiresAt === null) return;
    const timer = setTimeout(end, Math.max(0, endsAt - serviceNow()));
    return () => clearTimeout(timer);
  }, [expiresAt, endsAt, end]);

  return expiresAt === null ? null : { endsAt, isNear, canRenew, renew };
}
