import { useNetwork } from "@mantine/hooks";
import { StateLabel } from "../shared/state-label.tsx";
import { useLiveStatus } from "./live-context.tsx";

const WORDS = {
  connecting: { word: "Connecting", tone: "quiet" },
  live: { word: "Live", tone: "good" },
  offline: { word: "Offline", tone: "quiet" },
  away: { word: "Reconnecting", tone: "busy" },
} as const;

/** Whether new deliveries appear by themselves right now. */
export function LiveLabel() {
  const status = useLiveStatus();
  // The stream notices only later that nothing comes any more.
  const { online } = useNetwork();
  const { word, tone } = WORDS[online ? status : "offline"];
  return <StateLabel tone={tone}>{word}</StateLabel>;
}
