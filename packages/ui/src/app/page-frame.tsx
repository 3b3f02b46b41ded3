import type { ReactNode } from "react";
import classes from "./page-frame.module.css";
import { OfflineNotice } from "./offline-notice.tsx";
import { SchemeSwitch } from "./scheme-switch.tsx";

/** What is around every page. */
export function PageFrame(props: {
  brand: ReactNode;
  nav?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <a className={classes["skip"]} href="#main" onClick={skip}>
        Skip to content
      </a>
      <header className={classes["bar"]}>
        <div className={classes["inner"]}>
          <div className={classes["brand"]}>{props.brand}</div>
          {props.nav === undefined ? null : (
            <nav className={classes["nav"]} aria-label="Pages">
              {props.nav}
            </nav>
          )}
          <div className={classes["aside"]}>
            {props.aside}
            <SchemeSwitch />
          </div>
        </div>
      </header>
      <main className={classes["main"]} id="main" tabIndex={-1}>
        <OfflineNotice />
        {props.children}
      </main>
    </>
  );
}

/** By hand, because the fragment belongs to the router. */
function skip(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
