import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { askService, loadAgain } from "../session/page-location.ts";
import { words } from "../words/first-words.ts";
import { BusyButton } from "./buttons.tsx";
import { Notice } from "./panels.tsx";
import stack from "./stack.module.css";

interface LazyPart<Props> {
  (props: Props): ReactNode;
  /** Fetches the code. It never rejects: if that fails, the part fetches it again when it is shown. */
  preload(): Promise<void>;
}

interface LazyOptions {
  /** Is shown meanwhile. */
  Waiting?: ComponentType;
  /** Whether `fetchAhead` leaves it out. */
  onDemand?: boolean;
}

/** Parts that `fetchAhead` fetches. */
const ahead = new Set<() => Promise<boolean>>();

/**
 * A part whose code is fetched when it is first shown. If that fails, an error with "Try again" stands in its place, and
 * all around it keeps its state.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { Waiting = LateWord, onDemand = false }: LazyOptions = {},
): LazyPart<Props> {
  let Loaded: ComponentType<Props> | null = null;

  /** Whether the code is there. */
  async function fetchCode(): Promise<boolean> {
    if (Loaded !== null) return true;
    try {
      await prepare();
      Loaded = await load();
      return true;
    } catch {
      return false;
    }
  }

  if (!onDemand) ahead.add(fetchCode);

  function Part(props: Props): ReactNode {
    const [state, setState] = useState<"loading" | "failed" | "again" | "loaded">("loading");
    const isWanted = Loaded === null && state === "loading";
    useEffect(() => {
      if (!isWanted) return undefined;
      let gone = false;
      void fetchCode().then((isThere) => {
        if (!gone) setState(isThere ? "loaded" : "failed");
      });
      return () => {
        gone = true;
      };
    }, [isWanted]);
    if (Loaded !== null) return <Loaded {...props} />;
    if (state === "loading") return <Waiting />;
    const tryAgain = async (): Promise<void> => {
      setState("again");
      if (await fetchCode()) setState("loaded");
      // After an upgrade, or a failed import, only a new page can have it.
      else await loadAgain().catch(() => setState("failed"));
    };
    return <PartFailure busy={state === "again"} onRetry={() => void tryAgain()} />;
  }

  return Object.assign(Part, {
    preload: async (): Promise<void> => void (await fetchCode()),
  });
}

/** Fetches the code of all parts, so that they open at once, and also without a network or after an upgrade. */
export async function fetchAhead(): Promise<void> {
  while (ahead.size > 0) {
    const round = [...ahead];
    ahead.clear();
    // Their imports can have parts of their own.
    await Promise.all(round.map(async (fetchCode) => await fetchCode()));
  }
}

/** Stands in the place of a part that cannot be shown. */
export function PartFailure({ busy, onRetry }: { busy: boolean; onRetry: () => void }) {
  return (
    <Notice
      kind="bad"
      title={words.app.failed}
      action={
        <BusyButton size="xs" variant="default" busy={busy} onClick={onRetry}>
          {words.shared.tryAgain}
        </BusyButton>
      }
    >
      {words.app.failedText}
    </Notice>
  );
}

/** A shorter wait needs no word. */
const LATE_MS = 400;

function LateWord() {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <span role="status" className={stack["dimmed"]}>
      {isLate ? words.shared.loading : null}
    </span>
  );
}

let preparing: Promise<void> | null = null;

/**
 * A browser keeps a failed import, and never asks again. So none is tried in an outage, or before lost styles are there.
 * Parts that are fetched at the same time ask once.
 */
function prepare(): Promise<void> {
  preparing ??= askService()
    .then(fetchLostStyles)
    .finally(() => (preparing = null));
  return preparing;
}

/** Style sheets of parts that could not be fetched: the loader of the bundler asks for each of them only once. */
const lostStyles = new Set<HTMLLinkElement>();
addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") lostStyles.add(target);
  },
  { capture: true },
);

/** @throws if one cannot be fetched now either. */
async function fetchLostStyles(): Promise<void> {
  await Promise.all(
    [...lostStyles].map(async (lost) => {
      const link = lost.cloneNode() as HTMLLinkElement; // Of the same kind.
      lostStyles.delete(lost);
      await new Promise((resolve, reject) => {
        link.addEventListener("load", resolve);
        link.addEventListener("error", reject);
        lost.replaceWith(link);
      });
    }),
  );
}
