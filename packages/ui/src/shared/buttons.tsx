import { Button, type ButtonProps, Loader } from "@mantine/core";
import type { AnchorHTMLAttributes, MouseEventHandler, ReactNode } from "react";
import { createLink } from "@tanstack/react-router";

type Props = ButtonProps & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps>;

/** A link that looks like a button. Its place and parameters are checked against the router's. */
export const LinkButton = createLink((props: Props) => <Button component="a" {...props} />);

/** The look of a button that only leaves something as it is, or ends a view. */
export const DIMMED_BUTTON = { variant: "subtle", color: "gray", c: "dimmed" } as const;

/** How a button looks that is next to something and seldom pressed. */
export const QUIET_BUTTON = { ...DIMMED_BUTTON, size: "compact-sm", fw: 400 } as const;

interface BusyButtonProps extends Omit<ButtonProps, "loading"> {
  busy: boolean;
  "aria-label"?: string;
  type?: "button" | "submit";
  onClick?: MouseEventHandler<HTMLButtonElement>;
  children: ReactNode;
}

/** A button that works on something. It is not disabled meanwhile, because that would lose the keyboard's focus. */
export function BusyButton({ busy, onClick, children, ...rest }: BusyButtonProps) {
  return (
    <Button
      type="button"
      {...rest}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      leftSection={busy ? <Loader size={14} color="currentColor" aria-hidden /> : undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {children}
    </Button>
  );
}
