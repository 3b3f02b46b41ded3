import { useNetwork } from "@mantine/hooks";
import type { ReactNode } from "react";
import classes from "./page-frame.module.css";
import { isFramed } from "../session/page-location.ts";
import { SchemeSwitch } from "./scheme-switch.tsx";
import { Notice } from "../shared/notice.tsx";
import { words } from "../words/first-words.ts";

/** What is around every page. */
export function PageFrame(props: {
  brand: ReactNode;
  nav?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
  const framed = isFramed();
  return (
    <>
      <a className={classes["skip"]} href="#main" onClick={skip}>
        {words.app.skip}
      </a>
      {/* The marketplace's page around it has a header, a way back and a theme of its own. */}
      <header className={framed ? classes["slim"] : classes["bar"]}>
        <div className={classes["inner"]}>
          {framed ? null : <div className={classes["brand"]}>{props.brand}</div>}
          {props.nav === undefined ? null : (
            <nav className={classes["nav"]} aria-label={words.app.pages}>
              {props.nav}
            </nav>
          )}
          {framed ? null : (
            <div className={classes["aside"]}>
              {props.aside}
              <SchemeSwitch />
            </div>
          )}
        </div>
      </header>
      <main className={classes["main"]} id="main" tabIndex={-1}>
        <OfflineNotice />
        {props.children}
      </main>
    </>
  );
}

function OfflineNotice() {
  const { online } = useNetwork();
  return (
    <div role="status" className={online ? undefined : classes["offline"]}>
      {online ? null : (
        <Notice kind="warn" title={words.app.offline}>
          {words.app.offlineText}
        </Notice>
      )}
    </div>
  );
}

/** By hand, because the fragment belongs to the router. */
function skip(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
