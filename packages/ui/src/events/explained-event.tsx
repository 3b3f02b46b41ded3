import { Panel } from "../shared/panel.tsx";
import classes from "./events-page.module.css";
import { ExplanationLines } from "./explanation-lines.tsx";

/** An event that a link leads to and that is further down than the list has been read. */
export function ExplainedEvent({ eventId }: { eventId: string }) {
  return (
    <div className={classes["linked"]}>
      <Panel title={<code>{eventId}</code>}>
        <ExplanationLines eventId={eventId} />
      </Panel>
    </div>
  );
}
