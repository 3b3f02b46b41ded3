import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/** Whether the page is being printed. What is shown then is on the paper: the browser lays it out afterwards. */
export function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    let top = 0;
    const begin = (): void => {
      top = globalThis.scrollY;
      flushSync(() => setIsPrinting(true));
    };
    // What is read stays where it was: the paper's lines may be fewer than the window's.
    const end = (): void => {
      flushSync(() => setIsPrinting(false));
      globalThis.scrollTo({ top });
    };
    globalThis.addEventListener("beforeprint", begin);
    globalThis.addEventListener("afterprint", end);
    return () => {
      globalThis.removeEventListener("beforeprint", begin);
      globalThis.removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting;
}
