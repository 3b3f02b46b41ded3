import { useResources } from "../api/use-resources.ts";
import { UserText } from "../shared/user-text.tsx";

export function ResourceTitle({ resourceId }: { resourceId: string }) {
  const resources = useResources();
  const title = resources.data?.find(({ id }) => id === resourceId)?.title;
  return <UserText>{title ?? resourceId}</UserText>;
}
