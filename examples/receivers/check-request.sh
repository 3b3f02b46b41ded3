#!/bin/sh
# Looks into one request by hand. BODY_FILE holds the body exactly as it came; ID, TIME, STANDARD and SIGNATURE are what
# webhook-id, webhook-timestamp, webhook-signature and X-Service-Signature said; with the new secret of a rotation, give
# what X-Service-Signature-Next said. DONE_FILE holds the ids that were seen.
: "${SECRET:?is not set: anybody can sign with an empty secret}"
key=$(printf %s "${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
standard=v1,$({ printf '%s.%s.' "$ID" "$TIME"; cat "$BODY_FILE"; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
plain=$(openssl dgst -sha256 -hmac "$SECRET" -r < "$BODY_FILE" | cut -d ' ' -f 1)

case " $STANDARD " in *" $standard "*) ;; *) echo forged && exit 1 ;; esac
[ "$plain" = "$SIGNATURE" ] || { echo forged && exit 1; }
age=$(($(date +%s) - TIME))
[ "$age" -le 300 ] && [ "$age" -ge -300 ] || { echo "too old or too new" && exit 1; }
grep -qxF -e "$ID" "$DONE_FILE" && echo "right, but seen before" && exit 0
echo "$ID" >> "$DONE_FILE" && echo right
