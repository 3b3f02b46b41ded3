import { Button } from "@mantine/core";
import { RouterProvider } from "@tanstack/react-router";
import { readAppearance, readLanguage } from "./app/appearance.ts";
import { mount } from "./app/mount.tsx";
import { PageFrame } from "./app/page-frame.tsx";
import { portalRouter } from "./app/portal-router.tsx";
import { LiveProvider } from "./live/live-context.tsx";
import { placeNow, wishesOfLink } from "./session/place.ts";
import { SessionContext } from "./session/session.ts";
import { usePortalSession } from "./session/use-portal-session.ts";
import { errorWords } from "./shared/code-words.ts";
import { LoadingView, MessageView } from "./shared/page.tsx";
import { words } from "./words/first-words.ts";
import { speak } from "./words/speak.ts";
import { readSession } from "./session/kept-session.ts";
import type { WhyClosed } from "./session/open-session.ts";
import { safeUrl } from "./session/page-location.ts";
import { useEntry } from "./session/entry.ts";

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
await speak(readLanguage(wishes));
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
