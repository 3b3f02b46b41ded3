import { existsSync } from "node:fs";
import { join, posix } from "node:path";

/**
 * A page as it stands in a package: links to files of the repository that are not in the package lead to where the
 * repository is hosted.
 */
export function withWholeLinks(
  text: string,
  {
    page,
    root,
    repository,
    isPacked,
  }: {
    /** Its path in the repository. */
    page: string;
    root: string;
    repository: string;
    /** Of a path in the repository. */
    isPacked: (path: string) => boolean;
  },
): string {
  const address = repository.replace(/^git\+/, "").replace(/\.git$/, "");
  return text.replaceAll(/\]\(([^()\s#:]+)/g, (link, to: string) => {
    const path = posix.join(posix.dirname(page), to);
    const leads = !path.startsWith("..") && existsSync(join(root, path));
    return leads && !isPacked(path) ? `](${address}/blob/main/${path}` : link;
  });
}
