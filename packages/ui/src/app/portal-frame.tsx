import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { safeUrl } from "../session/safe-url.ts";
import { useSession } from "../session/session-context.ts";
import { SessionNotices } from "../session/session-notices.tsx";
import { HeldNotice } from "../shared/held-notice.tsx";
import { Notice } from "../shared/notice.tsx";
import { UserText } from "../shared/user-text.tsx";
import { PageFrame } from "./page-frame.tsx";
import classes from "./portal-frame.module.css";

export function PortalFrame() {
  const { info } = useSession();
  const back = safeUrl(info.returnUrl);
  // Pages of a webhook belong to the list of webhooks.
  const isElsewhere = useRouterState({
    select: ({ location }) => /^\/(deliveries|events)/.test(location.pathname),
  });
  return (
    <PageFrame
      brand={<UserText>{info.serviceName}</UserText>}
      nav={
        <>
          <Link to="/" activeOptions={{ exact: isElsewhere }}>
            Webhooks
          </Link>
          <Link to="/deliveries" activeOptions={{ includeSearch: false }}>
            Deliveries
          </Link>
          <Link to="/events" activeOptions={{ includeSearch: false }}>
            Events
          </Link>
        </>
      }
      aside={
        back === null ? null : (
          <a href={back} target="_top">
            Back to your resource
          </a>
        )
      }
    >
      <SessionNotices />
      {info.development ? (
        <div className={classes["remark"]}>
          <Notice kind="warn">
            <strong>Development mode.</strong> Receivers on this machine are allowed (
            {info.allowTargets.join(", ")}). Do not use it in production.
          </Notice>
        </div>
      ) : null}
      {info.sendingHeld ? (
        <div className={classes["remark"]}>
          <HeldNotice allowTargets={info.allowTargets} />
        </div>
      ) : null}
      <Outlet />
    </PageFrame>
  );
}
