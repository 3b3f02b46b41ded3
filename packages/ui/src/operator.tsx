import { mount } from "./app/mount.tsx";
import { OperatorPage } from "./operator/operator-page.tsx";
import { words } from "./words/words.ts";
import { setPageLanguage } from "./words/page-language.ts";

await setPageLanguage(null);
document.title = words.operator.title;
mount(<OperatorPage />);
