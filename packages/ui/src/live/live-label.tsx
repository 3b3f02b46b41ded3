import { useNetwork } from "@mantine/hooks";
import { StateLabel } from "../shared/state-label.tsx";
import { useLiveStatus } from "./live-context.tsx";
import { words } from "../words/words.ts";

const TONES = { connecting: "quiet", live: "good", offline: "quiet", away: "busy" } as const;

/** Whether new deliveries appear by themselves right now. */
export function LiveLabel() {
  const status = useLiveStatus();
  // The stream notices only later that nothing comes any more.
  const { online } = useNetwork();
  const shown = online ? status : "offline";
  return <StateLabel tone={TONES[shown]}>{words.live[shown]}</StateLabel>;
}
