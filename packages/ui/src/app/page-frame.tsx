import type { ReactNode } from "react";
import { Button, useMantineColorScheme } from "@mantine/core";
import classes from "./page-frame.module.css";
import { isFramed } from "../session/page-location.ts";
import { Notice } from "../shared/panels.tsx";
import { useOffline } from "../shared/use-offline.ts";
import { words } from "../words/first-words.ts";
import { wishesOfLink } from "../session/place.ts";
import { readAppearance } from "./appearance.ts";

/** The frame of every page. */
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
  const offline = useOffline();
  return (
    <div role="status" className={offline ? classes["offline"] : undefined}>
      {!offline ? null : (
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

const NEXT = { auto: "light", light: "dark", dark: "auto" } as const;

/** In place of the words, on a phone. */
const MARKS = { auto: "◐", light: "○", dark: "●" } as const;

/** Follows the system unless somebody chooses. Where the marketplace has chosen, there is nothing to choose. */
function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const { schemes } = words.app;
  if (readAppearance(wishesOfLink()).scheme !== null) return null;
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      c="dimmed"
      fw={400}
      px={4}
      aria-label={words.app.themeButton(schemes[colorScheme], schemes[NEXT[colorScheme]])}
      onClick={() => setColorScheme(NEXT[colorScheme])}
    >
      <span className={classes["words"]}>{words.app.theme(schemes[colorScheme])}</span>
      <span className={classes["mark"]}>{MARKS[colorScheme]}</span>
    </Button>
  );
}
