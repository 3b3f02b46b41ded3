import { Button, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { copyText } from "./copy-text.ts";
import { words } from "../words/first-words.ts";

interface CopyButtonProps {
  /** Or how to get it; null: it cannot be had. */
  text: string | (() => Promise<string | null>);
  /** What is copied. */
  label: string;
  short?: string;
  size?: "xs" | "sm";
}

/** The answer is shown on the button and announced. */
export function CopyButton(props: CopyButtonProps) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  const copy = async (): Promise<void> => {
    const text = typeof props.text === "string" ? props.text : await props.text();
    if (text === null) return;
    setState((await copyText(text)) ? "copied" : "failed");
    setTimeout(() => setState("idle"), 2500);
  };
  const shown = {
    idle: props.short ?? words.shared.copy,
    copied: words.shared.copied,
    failed: words.shared.copyRefused,
  };
  return (
    <>
      <Button
        variant="default"
        size={props.size ?? "xs"}
        aria-label={`${shown[state]}${state !== "failed" && props.short === undefined ? "" : ":"} ${props.label}`}
        onClick={() => void copy()}
      >
        {shown[state]}
      </Button>
      <VisuallyHidden role="status">
        {state === "copied" ? words.shared.wasCopied(props.label) : null}
        {state === "failed" ? `${shown.failed}: ${props.label}` : null}
      </VisuallyHidden>
    </>
  );
}
