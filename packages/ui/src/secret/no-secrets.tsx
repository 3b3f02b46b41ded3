import { useSession } from "../session/session-context.ts";
import { Panel } from "../shared/panel.tsx";

/** In place of the secret, and of the ways to a new one. */
export function NoSecrets() {
  const { info } = useSession();
  return (
    <Panel
      title="Secret"
      about={`${info.serviceName} opened this page without the right to see secrets. The owner sees them on a page of their own.`}
    />
  );
}
