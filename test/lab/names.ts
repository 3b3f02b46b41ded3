import type { Reply, Zone } from "../../packages/dispatcher/src/guard/testing/name-server.ts";

/** What the lab's name server knows. Names that nobody set do not exist. */
export interface Names {
  zone: Zone;
  /** From now on; `asked` counts the questions about that name and family since then. */
  set(name: string, answer: (asked: number, family: 4 | 6) => Reply): void;
}

const NO_SUCH_NAME = 3;

export function createNames(): Names {
  const answers = new Map<string, (asked: number, family: 4 | 6) => Reply>();
  const asked = new Map<string, number>();
  return {
    zone(name, family) {
      const answer = answers.get(name);
      if (answer === undefined) return { code: NO_SUCH_NAME };
      const key = `${name}/${family}`;
      const before = asked.get(key) ?? 0;
      asked.set(key, before + 1);
      return answer(before, family);
    },
    set(name, answer) {
      answers.set(name, answer);
      for (const family of [4, 6]) asked.delete(`${name}/${family}`);
    },
  };
}
