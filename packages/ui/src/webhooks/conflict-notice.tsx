import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Notice } from "../shared/panels.tsx";
import stack from "../shared/stack.module.css";
import { words } from "../words/words.ts";

interface ConflictNoticeProps {
  title: string;
  /** The value that is saved now. */
  children?: ReactNode;
  /** The save that was refused, of which nothing is said any more once somebody has decided. */
  change: { reset: () => void };
  keepMine: () => void;
  takeTheirs: () => void;
}

/** Somebody else, or another tab, has saved something else in the same place. */
export function ConflictNotice(props: ConflictNoticeProps) {
  const { title, children, change } = props;
  return (
    <Notice kind="bad" title={title}>
      <div className={`${stack["stack"]} ${stack["tight"]}`}>
        {children}
        <div className={stack["row"]}>
          {(["keepMine", "takeTheirs"] as const).map((choice) => (
            <Button
              key={choice}
              size="xs"
              variant="default"
              onClick={() => {
                change.reset();
                props[choice]();
              }}
            >
              {words.webhooks[choice]}
            </Button>
          ))}
        </div>
      </div>
    </Notice>
  );
}
