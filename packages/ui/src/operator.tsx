import { mount } from "./app/mount.tsx";
import { OperatorPage } from "./operator/operator-page.tsx";

mount(<OperatorPage />);
