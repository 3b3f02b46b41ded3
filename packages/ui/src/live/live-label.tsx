import { StateLabel } from "../shared/state-label.tsx";
import { useLiveStatus } from "./live-context.tsx";

const WORDS = {
  connecting: { word: "Connecting", tone: "quiet" },
  live: { word: "Live", tone: "good" },
  away: { word: "Reconnecting", tone: "busy" },
} as const;

/** Whether new deliveries appear by themselves right now. */
export function LiveLabel() {
  const { word, tone } = WORDS[useLiveStatus()];
  return <StateLabel tone={tone}>{word}</StateLabel>;
}
