/** Two taps within this time, this near to each other, are a double one. Of a mouse the browser says it. */
const DOUBLE_TAP_MS = 500;
const NEAR_PX = 20;

interface Press {
  /** The pressed control, or else the innermost element. */
  control: Element | null;
  at: number;
  x: number;
  y: number;
  isMouse: boolean;
}

/**
 * Ignores the second click of a double click where something else came to that place after the first: "Stop" in place of
 * "Send", or the button of a dialog. Nobody means both.
 */
export function ignoreSecondClicks(): void {
  let first: Press | null = null;
  let last: Press | null = null;
  document.addEventListener(
    "pointerdown",
    ({ target, timeStamp: at, clientX: x, clientY: y, pointerType }) => {
      const element = target instanceof Element ? target : null;
      const control = element?.closest("a, button, label, input, select, textarea") ?? element;
      first = last;
      last = { control, at, x, y, isMouse: pointerType === "mouse" };
    },
    { capture: true },
  );
  document.addEventListener(
    "click",
    (event) => {
      // Of the keyboard, or by a script.
      if (event.detail === 0 || first === null || last === null) return;
      const isDouble = last.isMouse ? event.detail > 1 : isDoubleTap(first, last);
      if (!isDouble || first.control === last.control) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}

function isDoubleTap(first: Press, last: Press): boolean {
  return (
    last.at - first.at < DOUBLE_TAP_MS && Math.hypot(last.x - first.x, last.y - first.y) < NEAR_PX
  );
}
