import type { CopyResult, Resource } from "@markethook/client";
import { SecretField } from "../secret/secret-field.tsx";
import { Notice } from "../shared/notice.tsx";
import { UserText } from "../shared/inline-text.tsx";
import classes from "./copy-dialog.module.css";
import { words } from "../words/first-words.ts";
import { fromService } from "../words/rich.ts";

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
                <SecretField
                  name="secret"
                  label={words.webhooks.secretFor(title)}
                  value={result.secret}
                />
              )
            ) : (
              <Notice kind="warn" title={<UserText>{title}</UserText>}>
                {words.webhooks.notCopied(fromService(result.title), fromService(result.detail))}
              </Notice>
            )}
          </li>
        );
      })}
    </ul>
  );
}
