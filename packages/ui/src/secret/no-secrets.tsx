import { useSession } from "../session/session-context.ts";
import { Panel } from "../shared/panel.tsx";
import { words } from "../words/words.ts";

/** In place of the secret, and of the ways to a new one. */
export function NoSecrets() {
  const { info } = useSession();
  return <Panel title={words.secret.secret} about={words.secret.notShown(info.serviceName)} />;
}
