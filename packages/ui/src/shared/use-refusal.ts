import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";

/**
 * Moves the focus of a refused form to its first field with a fault, so that a screen reader reads both. If that field has
 * the focus already, nothing would be read, so a live region says the fault. `fault`: that of the first such field.
 */
export function useRefusal(fault: ReactNode) {
  const form = useRef<HTMLFormElement>(null);
  const [refused, setRefused] = useState(0);
  const [said, setSaid] = useState<ReactNode>(null);
  const lead = useEffectEvent(() => {
    const field = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (field === document.activeElement) setSaid(fault);
    else field?.focus();
  });
  // An effect, so that the fault is shown by then.
  useEffect(() => {
    if (refused > 0) lead();
  }, [refused]);
  const isFaulty = fault !== null;
  useEffect(() => {
    if (!isFaulty) setSaid(null);
  }, [isFaulty]);
  return {
    form,
    /** Call it when the form is refused. */
    refuse: (): void => {
      // The same words again are read only if they were away.
      setSaid(null);
      setRefused((count) => count + 1);
    },
    /** For a live region in the form. */
    said,
  };
}
