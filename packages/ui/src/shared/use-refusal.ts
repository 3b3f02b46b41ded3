import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";

interface Refusal {
  form: RefObject<HTMLFormElement | null>;
  /** To be called when the form is not taken as it is. */
  refuse: () => void;
  /** For a live region in the form. */
  said: ReactNode;
}

/**
 * What a refused form does: the focus goes to its first field with a fault, and a screen reader reads both. Where that
 * field has the focus already, nothing would be read, so the fault is said. `fault`: that of the first such field.
 */
export function useRefusal(fault: ReactNode): Refusal {
  const form = useRef<HTMLFormElement>(null);
  const [refused, setRefused] = useState(0);
  const [said, setSaid] = useState<ReactNode>(null);
  const lead = useEffectEvent(() => {
    const field = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (field === document.activeElement) setSaid(fault);
    else field?.focus();
  });
  // After the fault is shown.
  useEffect(() => {
    if (refused > 0) lead();
  }, [refused]);
  const isFaulty = fault !== null;
  useEffect(() => {
    if (!isFaulty) setSaid(null);
  }, [isFaulty]);
  return {
    form,
    refuse: () => {
      // The same words again are read only if they were away.
      setSaid(null);
      setRefused((count) => count + 1);
    },
    said,
  };
}
