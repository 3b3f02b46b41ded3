import { useNetwork } from "@mantine/hooks";

/** Then the page came from the machine itself, as in development on a train, and needs no network. */
const CAME_WITHOUT_NETWORK = !navigator.onLine;

/** Whether the browser has lost the network. */
export function useOffline(): boolean {
  const { online } = useNetwork();
  return !online && !CAME_WITHOUT_NETWORK;
}
