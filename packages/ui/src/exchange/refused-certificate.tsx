import type { Attempt } from "@markethook/client";
import { Facts } from "../shared/facts.tsx";
import { UserText } from "../shared/user-text.tsx";
import { When } from "../shared/when.tsx";

/** Which certificate the server showed, and until when it is valid. */
export function RefusedCertificate(props: { certificate: NonNullable<Attempt["certificate"]> }) {
  const { names, issuer, validFrom, validTo } = props.certificate;
  return (
    <Facts
      items={[
        ["Certificate for", <UserText key="names">{names}</UserText>],
        ["Issued by", <UserText key="issuer">{issuer}</UserText>],
        validFrom === "" ? null : ["Valid from", <When key="from" at={validFrom} exact />],
        validTo === "" ? null : ["Valid until", <When key="to" at={validTo} exact />],
      ]}
    />
  );
}
