import { useNetwork } from "@mantine/hooks";
import { Notice } from "../shared/notice.tsx";
import classes from "./offline-notice.module.css";

export function OfflineNotice() {
  const { online } = useNetwork();
  return (
    <div role="status" className={online ? undefined : classes["place"]}>
      {online ? null : (
        <Notice kind="warn" title="You are offline">
          What you see may be old. Webhooks go on working, and this page catches up by itself.
        </Notice>
      )}
    </div>
  );
}
