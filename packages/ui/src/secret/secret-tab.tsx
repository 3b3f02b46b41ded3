import type { Webhook } from "@markethook/client";
import type { PingControl } from "../ping/use-ping.ts";
import { useState } from "react";
import stack from "../shared/stack.module.css";
import { OpenRotation } from "./open-rotation.tsx";
import { RotationPanel } from "./rotation-panel.tsx";
import { SecretPanel } from "./secret-panels.tsx";
import { useSeesSecrets } from "./use-secret.ts";
import { useSession } from "../session/session.ts";
import { Panel } from "../shared/panel.tsx";
import { words } from "../words/words.ts";

/** The secret, and the way to a new one. */
export function SecretTab({ webhook, ping }: { webhook: Webhook; ping: PingControl }) {
  const seesSecrets = useSeesSecrets();
  const [isFresh, setIsFresh] = useState(false);
  if (!seesSecrets) return <NoSecrets />;
  return (
    <div className={stack["stack"]}>
      <SecretPanel webhook={webhook} />
      {webhook.rotation === null ? (
        <RotationPanel webhook={webhook} onMade={() => setIsFresh(true)} />
      ) : (
        <OpenRotation webhook={webhook} ping={ping} fresh={isFresh} />
      )}
    </div>
  );
}

/** In place of the secret, and of the ways to a new one. */
function NoSecrets() {
  const { info } = useSession();
  return <Panel title={words.secret.secret} about={words.secret.notShown(info.serviceName)} />;
}
