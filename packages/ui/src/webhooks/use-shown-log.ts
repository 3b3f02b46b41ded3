import { useRef } from "react";

interface ShownLog {
  /** Of the element around the log. */
  ref: (element: HTMLElement | null) => void;
  /** Brings the log onto the screen, or as soon as there is one. */
  show: () => void;
}

/** For buttons above a log that narrow it: most often it is below the screen, and nothing would seem to happen. */
export function useShownLog(): ShownLog {
  const log = useRef<HTMLElement>(null);
  const isWanted = useRef(false);
  const scroll = (): void => {
    if (log.current === null || !isWanted.current) return;
    isWanted.current = false;
    log.current.scrollIntoView();
    // The next Tab goes on from there.
    log.current.focus({ preventScroll: true });
  };
  return {
    ref(element) {
      log.current = element;
      scroll();
    },
    show() {
      isWanted.current = true;
      scroll();
    },
  };
}
