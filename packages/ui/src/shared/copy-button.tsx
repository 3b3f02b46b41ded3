import { Button, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { copyText } from "./copy-text.ts";

/** `label` says what is copied; the answer is shown on the button and announced. */
export function CopyButton(props: { text: string; label: string; short?: string }) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  const copy = async (): Promise<void> => {
    setState((await copyText(props.text)) ? "copied" : "failed");
    setTimeout(() => setState("idle"), 2500);
  };
  const shown = { idle: props.short ?? "Copy", copied: "Copied", failed: "Not allowed here" };
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={`${shown[state]} ${props.label}`}
        onClick={() => void copy()}
      >
        {shown[state]}
      </Button>
      <VisuallyHidden role="status">
        {state === "copied" ? `${props.label} copied` : ""}
      </VisuallyHidden>
    </>
  );
}
