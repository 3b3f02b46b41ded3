import { Button } from "@mantine/core";
import { RouterProvider } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { readAppearance, readLanguage } from "./app/appearance.ts";
import { mount } from "./app/mount.tsx";
import { PageFrame } from "./app/page-frame.tsx";
import { portalRouter } from "./app/portal-router.tsx";
import { LiveProvider } from "./live/live-context.tsx";
import { placeNow, wishesOfLink } from "./session/place.ts";
import { createPageClient, type Session, SessionContext } from "./session/session.ts";
import { errorWords } from "./shared/code-words.ts";
import { LoadingView, MessageView } from "./shared/page.tsx";
import { words } from "./words/first-words.ts";
import { setPageLanguage } from "./words/page-language.ts";
import { forgetToken, readSession } from "./session/kept-session.ts";
import { type Opening, openSession, type WhyClosed } from "./session/open-session.ts";
import { safeUrl } from "./session/page-location.ts";
import { findEntry, leaveFor, useEntry } from "./session/entry.ts";

type PortalState =
  | { phase: "opening" }
  | { phase: "open"; session: Session }
  | { phase: "closed"; why: WhyClosed }
  | { phase: "failed"; error: Error };

let opening: Promise<Opening> | null = null;

function Portal() {
  const { state, retry } = usePortalSession();
  if (state.phase === "open") {
    return (
      <SessionContext value={state.session}>
        <LiveProvider>
          <RouterProvider router={portalRouter} />
        </LiveProvider>
      </SessionContext>
    );
  }
  return (
    <PageFrame brand={words.app.webhooks}>
      {state.phase === "opening" ? <LoadingView /> : null}
      {state.phase === "closed" ? <ClosedView why={state.why} /> : null}
      {state.phase === "failed" ? (
        <MessageView
          title={errorWords(state.error).title}
          action={<Button onClick={retry}>{words.shared.tryAgain}</Button>}
        >
          {errorWords(state.error).text}
        </MessageView>
      ) : null}
    </PageFrame>
  );
}

const wishes = wishesOfLink();
await setPageLanguage(readLanguage(wishes));
mount(<Portal />, readAppearance(wishes));

function ClosedView({ why }: { why: WhyClosed }) {
  const entry = useEntry(placeNow());
  const way = entry ?? safeUrl(readSession()?.returnUrl ?? null);
  const { title, again, byHand } = words.session.closed[why];
  return (
    <MessageView
      title={title}
      action={
        way === null ? null : (
          <Button component="a" href={way} target="_top">
            {entry === null ? words.app.back : words.session.openAgain}
          </Button>
        )
      }
    >
      {entry === null ? byHand : again}
    </MessageView>
  );
}

/** The session of this tab: from its link, kept over a reload, or fetched from the marketplace. */
function usePortalSession(): { state: PortalState; retry: () => void } {
  const [state, setState] = useState<PortalState>({ phase: "opening" });
  const [round, setRound] = useState(0);

  useEffect(() => {
    let gone = false;
    const end = (): void => {
      if (gone) return;
      forgetToken();
      setState({ phase: "closed", why: "ended" });
    };
    opening ??= openSession();
    opening
      .then(async (opened) => {
        if ("why" in opened) {
          // A tab that has lost nothing yet goes for a session by itself.
          const entry = opened.why === "no_session" ? await findEntry(placeNow()) : null;
          if (gone || (entry !== null && leaveFor(entry))) return;
          setState({ phase: "closed", why: opened.why });
          return;
        }
        if (gone) return;
        const { token, ...session } = opened;
        const client = createPageClient(token, { onRefused: end });
        setState({ phase: "open", session: { client, end, ...session } });
      })
      .catch((error: unknown) => {
        opening = null;
        // Nothing else is thrown here.
        if (!gone) setState({ phase: "failed", error: error as Error });
      });
    return () => {
      gone = true;
    };
  }, [round]);

  const retry = useCallback(() => {
    setState({ phase: "opening" });
    setRound((n) => n + 1);
  }, []);
  return { state, retry };
}
