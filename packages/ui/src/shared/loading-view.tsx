import { Skeleton, VisuallyHidden } from "@mantine/core";
import classes from "./loading-view.module.css";
import { words } from "../words/first-words.ts";

/** Rows of the height that is to come, so that nothing jumps. */
export function LoadingView({ rows = 4, height = 64 }: { rows?: number; height?: number }) {
  return (
    <div className={classes["view"]} role="status">
      <VisuallyHidden>{words.shared.loading}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} radius="md" aria-hidden />
      ))}
    </div>
  );
}
