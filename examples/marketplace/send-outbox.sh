#!/bin/sh
# Sends the events that wait in a spool folder, oldest first: one file per event, named <order>.<resource id>.<key>.json.
# Run it by cron or in a loop, never in a page request. Usage: send-outbox.sh FOLDER
# Exit code 0: nothing waits. 1: Markethook cannot be reached or does not take our requests now; run it again later.
set -eu
spool=$1
mkdir -p "$spool/sent" "$spool/parked"
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

for file in "$spool"/*.json; do
  [ -e "$file" ] || exit 0
  name=$(basename "$file" .json)
  rest=${name#*.}
  resource=${rest%%.*}
  key=${rest#*.} # From the file's name, so the same at each try: that is what makes trying again safe.
  : > "$answer"
  status=$(curl --silent --max-time 2 --output "$answer" --write-out '%{http_code}' \
    --header "Authorization: Bearer $WEBHOOKS_KEY" --header "Idempotency-Key: $key" \
    --header 'Content-Type: application/json' --data-binary "@$file" \
    "$WEBHOOKS_URL/v1/resources/$resource/events") || status=000
  code=$(sed -n 's/.*"code":"\([a-z_]*\)".*/\1/p' "$answer")
  stored=$(sed -n 's/.*"eventId":"\(evt_[a-z0-9]*\)".*/\1/p' "$answer")
  case $status:$code$stored in
    202:evt_* | 200:evt_*) mv "$file" "$spool/sent/" ;; # 200: an earlier try had stored it.
    404:resource_unknown | 400:?* | 409:?* | 413:?* | 422:?*) # Refused each time: a person must look at it.
      echo "$key is parked: $code" >&2
      echo "$code" > "$spool/parked/$name.error"
      mv "$file" "$spool/parked/" ;;
    *) # It stays, and so do those behind it, which keeps their order.
      echo "$key waits: status $status $code" >&2
      exit 1 ;;
  esac
done
