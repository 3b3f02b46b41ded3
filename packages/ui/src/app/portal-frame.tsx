import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { safeUrl } from "../session/page-location.ts";
import { useSession } from "../session/session.ts";
import { SessionNotices } from "../session/session-notices.tsx";
import { DryRunNotice, Notice } from "../shared/panels.tsx";
import { UserText } from "../shared/inline-text.tsx";
import { fetchAhead } from "../shared/lazy-part.tsx";
import { PageFrame } from "./page-frame.tsx";
import classes from "./portal-frame.module.css";
import { words } from "../words/first-words.ts";

const PARTS = [
  { to: "/", name: "webhooks" },
  { to: "/deliveries", name: "deliveries" },
  { to: "/events", name: "events" },
] as const;

/** Pages of a webhook belong to the list of webhooks. */
function partOf(pathname: string): string {
  return PARTS.find(({ to }) => to !== "/" && pathname.startsWith(to))?.to ?? "/";
}

export function PortalFrame() {
  useEffect(preloadPages, []);
  const { info } = useSession();
  const back = safeUrl(info.returnUrl);
  const here = useRouterState({ select: ({ location }) => partOf(location.pathname) });
  return (
    <PageFrame
      brand={<UserText>{info.serviceName}</UserText>}
      nav={
        <>
          {PARTS.map(({ to, name }) => (
            // The router marks the page itself; its part of the whole stays marked on all pages below it.
            <Link
              key={to}
              to={to}
              activeOptions={{ exact: true, includeSearch: false }}
              aria-current={here === to ? "true" : undefined}
            >
              {words.app[name]}
            </Link>
          ))}
        </>
      }
      aside={
        back === null ? null : (
          <a href={back} target="_top" className={classes["back"]} aria-label={words.app.back}>
            <span aria-hidden>‹ </span>
            <span className={classes["words"]}>{words.app.back}</span>
          </a>
        )
      }
    >
      <SessionNotices />
      {info.development ? (
        <div className={classes["remark"]}>
          <Notice kind="warn">{words.app.development(info.allowTargets)}</Notice>
        </div>
      ) : null}
      {info.dryRun ? (
        <div className={classes["remark"]}>
          <DryRunNotice allowTargets={info.allowTargets} />
        </div>
      ) : null}
      <Outlet />
    </PageFrame>
  );
}

/** Once the first page stands, so that it comes first. */
function preloadPages(): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(() => void fetchAhead());
  else setTimeout(() => void fetchAhead(), 500);
}
