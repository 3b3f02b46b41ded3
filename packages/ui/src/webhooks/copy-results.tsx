import type { CopyResult, Resource } from "@markethook/client";
import { SecretField } from "../secret/secret-field.tsx";
import { Notice } from "../shared/notice.tsx";
import { UserText } from "../shared/user-text.tsx";
import classes from "./copy-dialog.module.css";

export function CopyResults(props: { results: CopyResult[]; resources: Resource[] }) {
  const titles = new Map(props.resources.map(({ id, title }) => [id, title]));
  return (
    <ul className={classes["results"]}>
      {props.results.map((result) => {
        const title = titles.get(result.resourceId) ?? result.resourceId;
        return (
          <li key={result.resourceId}>
            {result.status === "created" ? (
              result.secret === undefined ? (
                <UserText>{title}</UserText>
              ) : (
                <SecretField label={`Secret for ${title}`} value={result.secret} withLabel />
              )
            ) : (
              <Notice kind="warn" title={<UserText>{title}</UserText>}>
                Not copied. {result.title} {result.detail}
              </Notice>
            )}
          </li>
        );
      })}
    </ul>
  );
}
