import { VisuallyHidden } from "@mantine/core";
import { useRef, useState } from "react";
import { words } from "../words/first-words.ts";
import { BusyButton } from "./buttons.tsx";

interface CopyButtonProps {
  /** The text, or a function that fetches it; null if it cannot be fetched. */
  text: string | (() => Promise<string | null>);
  /** Names the copied text for screen readers. */
  label: string;
  short?: string;
  size?: "xs" | "sm";
}

const SHOWN_MS = 2500;

/** A button that copies a text. The result is shown on the button and announced. */
export function CopyButton(props: CopyButtonProps) {
  const [state, setState] = useState<"idle" | "fetching" | "copied" | "failed">("idle");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const copy = async (): Promise<void> => {
    clearTimeout(timer.current);
    if (typeof props.text !== "string") setState("fetching");
    const text = typeof props.text === "string" ? props.text : await props.text();
    if (text === null) {
      setState("idle");
      return;
    }
    setState((await copyText(text)) ? "copied" : "failed");
    timer.current = setTimeout(() => setState("idle"), SHOWN_MS);
  };
  const shown = {
    idle: props.short ?? words.shared.copy,
    fetching: props.short ?? words.shared.copy,
    copied: words.shared.copied,
    failed: words.shared.copyRefused,
  };
  return (
    <>
      <BusyButton
        busy={state === "fetching"}
        variant="default"
        size={props.size ?? "xs"}
        aria-label={`${shown[state]}${state !== "failed" && props.short === undefined ? "" : ":"} ${props.label}`}
        onClick={() => void copy()}
      >
        {shown[state]}
      </BusyButton>
      <VisuallyHidden role="status">
        {state === "copied" ? words.shared.wasCopied(props.label) : null}
        {state === "failed" ? `${shown.failed}: ${props.label}` : null}
      </VisuallyHidden>
    </>
  );
}

/** A frame or a page without TLS may not write to the clipboard directly; then the older way is tried. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  const before = document.activeElement;
  area.value = text;
  area.setAttribute("readonly", "");
  area.style.position = "fixed";
  area.style.opacity = "0";
  // Within an open dialog, whose focus trap would take the focus back otherwise.
  (document.querySelector('[role="dialog"]') ?? document.body).append(area);
  area.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}
