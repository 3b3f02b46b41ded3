import { chooseTongue, setTongue } from "./locale.ts";

/** Decides the page's language, for as long as it is open. To be awaited before the first render. */
export async function speak(wish: string | null): Promise<void> {
  const tongue = chooseTongue(wish, navigator.languages);
  setTongue(tongue);
  document.documentElement.lang = tongue.language;
}
