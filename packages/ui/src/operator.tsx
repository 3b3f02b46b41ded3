import { mount } from "./app/mount.tsx";
import { OperatorPage } from "./operator/operator-page.tsx";
import { words } from "./words/words.ts";
import { speak } from "./words/speak.ts";

await speak(null);
document.title = words.operator.title;
mount(<OperatorPage />);
