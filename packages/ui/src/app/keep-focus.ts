/** Within this time, a closing dialog gives the focus back to the element that opened it. A page may have a better place. */
const GIVEN_BACK_MS = 50;

/**
 * When the control that has the focus is removed or disabled, as after most buttons' work, browsers give the focus to
 * nothing: the next Tab begins at the top of the page, behind an open dialog too, and a screen reader says nothing. This
 * gives it to the nearest heading instead: the dialog's, the panel's, or else the page's.
 */
export function keepFocus(): void {
  /** The element with the focus, and all around it, from the inside out. Empty: the reader has given it to none. */
  let path: Element[] = [];
  const isGone = (): boolean => {
    const [focused] = path;
    return focused !== undefined && (!focused.isConnected || focused.matches(":disabled"));
  };
  document.addEventListener("focusin", (event) => {
    path = event.composedPath().filter((place) => place instanceof Element);
  });
  document.addEventListener("focusout", () => {
    const left = path;
    // A removed element is gone only after this event. When the window loses the focus, its control still has it.
    queueMicrotask(() => {
      const isKept = document.activeElement === left[0];
      if (path === left && !isGone() && !isKept) path = [];
    });
  });
  let timer: ReturnType<typeof setTimeout> | null = null;
  new MutationObserver(() => {
    if (timer !== null || !isGone()) return;
    timer = setTimeout(() => {
      timer = null;
      const { activeElement } = document;
      if (!isGone() || (activeElement !== document.body && activeElement !== path[0])) return;
      nearestHeading(path)?.focus({ preventScroll: true });
    }, GIVEN_BACK_MS);
  }).observe(document.documentElement, {
    subtree: true,
    childList: true,
    attributeFilter: ["disabled"],
  });
}

function nearestHeading(path: readonly Element[]): HTMLElement | null {
  for (const place of path) {
    if (!place.isConnected) continue;
    for (const heading of place.querySelectorAll<HTMLElement>("h1, h2, h3")) {
      if (!heading.checkVisibility()) continue;
      heading.tabIndex = -1;
      return heading;
    }
  }
  return null;
}
