import { useNetwork } from "@mantine/hooks";
import { Notice } from "../shared/notice.tsx";
import classes from "./offline-notice.module.css";
import { words } from "../words/first-words.ts";

export function OfflineNotice() {
  const { online } = useNetwork();
  return (
    <div role="status" className={online ? undefined : classes["place"]}>
      {online ? null : (
        <Notice kind="warn" title={words.app.offline}>
          {words.app.offlineText}
        </Notice>
      )}
    </div>
  );
}
